// How long one turn of the event loop of this process takes.

/** Counts the CPU of each turn of the event loop, which other programs of the machine make no longer. @returns how to end it, and get the longest in milliseconds */
export function countTurns() {
  let longest = 0;
  let before = process.cpuUsage();
  let next = setImmediate(function turn() {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.cpuUsage();
    next = setImmediate(turn);
  });
  return () => {
    clearImmediate(next);
    return longest;
  };
}
