/** Runs a piece of work soon after it was asked for, but not begun more often than this, and never twice at once. */
export function throttle(work: () => Promise<void>, milliseconds: number): () => void {
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
