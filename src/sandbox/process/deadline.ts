/**
 * Runs work with a deadline in seconds. At the deadline its signal aborts, and nobody waits for the rest of the work.
 */
export async function beforeDeadline(seconds: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>(resolve => {
    timer = setTimeout(() => {
      deadline.abort(new Error(`${seconds} seconds have passed`));
      // the work gets a moment to log its unfinished parts
      timer = setTimeout(resolve, lastWordMilliseconds);
    }, seconds * 1000);
  });
  try {
    await Promise.race([work(deadline.signal), over]);
  } finally {
    clearTimeout(timer);
  }
}

const lastWordMilliseconds = 250;
