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

  function restore(): void {
    Object.assign(res, { writeHead, write, end });
    if (head !== undefined) (writeHead as End).apply(res, head);
  }
  res.writeHead = ((...all: unknown[]) => {
    head = all;
    res.statusCode = Number(all[0]); // for those who look at it before it is sent
    return res;
  }) as typeof res.writeHead;
  res.write = ((...all: unknown[]) => {
    restore();
    return (res.write as unknown as End)(...all);
  }) as unknown as typeof res.write;
  res.end = ((...all: unknown[]) => {
    ready().then(
      () => {
        restore();
        (res.end as End)(...all);
      },
      error => {
        head = undefined;
        restore();
        instead(error);
      },
    );
    return res;
  }) as typeof res.end;
}
