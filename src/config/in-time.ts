/** What comes of work that may never end, as a module that waits for something does not. @throws Error once that took too long */
export async function inTime<T>(work: Promise<T>, seconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const told = `it was not ready after ${seconds} seconds: it waits for something that does not come`;
    timer = setTimeout(() => reject(new Error(told)), seconds * 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
