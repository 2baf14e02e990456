const mostLines = 8;
const mostCharacters = 2000;

/** Lines that say nothing about the app: the calls below an error of Node, and its version. */
const noise = /^\s*$|^\s+at .*:\d+:\d+\)?(?: \{)?$|^Node\.js v\d/;

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
        .filter(line => !noise.test(line))
        .slice(-mostLines)
        .map(line => line.trimEnd())
        .join('\n'),
  };
}
