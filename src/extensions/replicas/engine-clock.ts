/** Seconds after which a reading with a shorter way is forgotten: clocks drift apart. */
const goodFor = 10;

/**
 * The clock of the engine, as this process knows it from the answers of the engine: Unix seconds, with a fraction.
 * The engine reads its clock somewhere between question and answer: the shorter the way, the nearer the middle. Of the last
 * readings the one with the shortest way counts.
 * @param local the clock of this process, in Unix seconds
 */
export function createEngineClock(local: () => number = () => Date.now() / 1000) {
  let ahead = 0;
  let way = Number.POSITIVE_INFINITY;
  let readAt = Number.NEGATIVE_INFINITY;
  const now = () => local() + ahead;
  return {
    now,
    /** Takes a reading of the engine in the answer to a question that was sent at `sentAt` of `now`. */
    read(seconds: number, microseconds: number, sentAt: number): void {
      const at = now();
      const took = at - sentAt;
      const isBetter = took <= way || at - readAt > goodFor;
      if (!isBetter) return;
      ahead += seconds + microseconds / 1e6 - (sentAt + took / 2);
      way = took;
      readAt = now();
    },
  };
}
