// Measures several things in turn, forth and back (A B C, C B A, …), so that whatever else the machine is doing, and
// whatever the one before leaves behind, falls on all of them alike.

/** @returns for each name the samples, one per round: the same index is the same round */
export async function inTurn(rounds, measures) {
  const names = Object.keys(measures).filter(name => measures[name] !== undefined);
  const samples = Object.fromEntries(names.map(name => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) samples[name].push(await measures[name]());
  }
  return samples;
}

/** One member of each sample. */
export const pick = (samples, member) => samples?.map(sample => sample[member]);
