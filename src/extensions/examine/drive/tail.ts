const mostLines = 8;
const mostCharacters = 2000;

/** Keeps the last lines of what a program says. */
export function createTail() {
  let kept = '';
  return {
    add: (chunk: Buffer | string): void => {
      kept = (kept + String(chunk)).slice(-mostCharacters);
    },
    text: (): string =>
      kept
        .trim()
        .split('\n')
        .slice(-mostLines)
        .map(line => line.trimEnd())
        .join('\n'),
  };
}
