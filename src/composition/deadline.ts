/**
 * Does work that has to be over after so many seconds: then its signal is aborted, and what it still waits for goes on without anybody.
 */
export async function beforeDeadline(seconds: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>(resolve => {
    timer = setTimeout(() => {
      deadline.abort(new Error(`${seconds} seconds are over`));
      // whoever was told has a moment to say what is left undone
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
