/** Returns a function that runs the work soon. Two runs have at least this distance and never overlap. */
export function throttle(work: () => Promise<unknown>, milliseconds: number): () => void {
  let busy = false;
  let wanted = false;

  async function run(): Promise<void> {
    busy = true;
    while (wanted) {
      wanted = false;
      const again = performance.now() + milliseconds;
      // A failure is a lost connection, which the stream shows already.
      await work().catch(() => {});
      await new Promise(resolve => setTimeout(resolve, again - performance.now()));
    }
    busy = false;
  }

  return () => {
    wanted = true;
    if (!busy) void run();
  };
}
