/** Runs work with a deadline in seconds. At the deadline its signal is aborted, and nothing waits for the rest of it. */
export async function beforeDeadline(seconds: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>(resolve => {
    timer = setTimeout(() => {
      deadline.abort(new Error(`${seconds} seconds are over`));
      // the work has a moment to log what is left undone
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
