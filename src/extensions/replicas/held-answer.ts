import type { ServerResponse } from 'node:http';

type End = (...all: unknown[]) => ServerResponse;

/**
 * Has an answer wait, when it is complete, until `ready` has resolved; then it is sent as it was written. If `ready`
 * rejects, `instead` answers, because nothing has been sent. An answer that is written in pieces is not held back: it is
 * a stream, or a file.
 */
export function holdAnswer(res: ServerResponse, ready: () => Promise<void>, instead: (error: unknown) => void): void {
  const { writeHead, write, end } = res;
  let head: unknown[] | undefined;
  let isEnded = false;

  function restore(): void {
    Object.assign(res, { writeHead, write, end });
    if (head !== undefined) (writeHead as End).apply(res, head);
  }
  res.writeHead = ((...all: unknown[]) => {
    if (isEnded) return res;
    head = all;
    res.statusCode = Number(all[0]); // for those who look at it before it is sent
    return res;
  }) as typeof res.writeHead;
  res.write = ((...all: unknown[]) => {
    if (isEnded) return false;
    restore();
    return (res.write as unknown as End)(...all);
  }) as unknown as typeof res.write;
  res.end = ((...all: unknown[]) => {
    if (isEnded) return res; // the first answer counts
    isEnded = true;
    ready()
      .then(() => {
        restore();
        (res.end as End)(...all);
      })
      .catch(error => {
        head = undefined;
        restore();
        instead(error);
      })
      .catch(() => void res.destroy());
    return res;
  }) as typeof res.end;
}
