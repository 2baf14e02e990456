/** A function of Node that is counted while work is done, and what one call of it counts. */
type Counted = readonly [owner: object, name: string, weight: (self: unknown, result: unknown) => number];

const once = () => 1;
const everyLetter = (self: unknown) => String(self).length;

const counted: readonly Counted[] = [
  ...['indexOf', 'lastIndexOf', 'includes', 'replaceAll', 'split', 'toLowerCase', 'trim'].map(
    (name): Counted => [String.prototype, name, everyLetter],
  ),
  ...['slice', 'substring', 'startsWith', 'endsWith', 'charAt', 'charCodeAt', 'codePointAt'].map(
    (name): Counted => [String.prototype, name, once],
  ),
  ...['get', 'has', 'set'].map((name): Counted => [Map.prototype, name, once]),
  ...['add', 'has'].map((name): Counted => [Set.prototype, name, once]),
];

/**
 * How much is done with texts, maps and sets while `work` runs, in letters and calls: the same on a busy machine as on an idle
 * one. A regular expression counts the letters it passes, not those it goes back over.
 */
export function workOf(work: () => void): number {
  let sum = 0;
  const restore = counted.map(([owner, name, weight]) =>
    replaced(owner, name, (self, result) => {
      sum += weight(self, result);
    }),
  );
  restore.push(
    replacedExec(letters => {
      sum += letters;
    }),
  );
  try {
    work();
  } finally {
    for (const each of restore) each();
  }
  return sum;
}

function replaced(owner: object, name: string, count: (self: unknown, result: unknown) => void): () => void {
  const members = owner as Record<string, (...args: unknown[]) => unknown>;
  const original = members[name] as (...args: unknown[]) => unknown;
  members[name] = function (this: unknown, ...args) {
    const result = original.apply(this, args);
    count(this, result);
    return result;
  };
  return () => {
    members[name] = original;
  };
}

/** Everything that matches a regular expression ends up here. */
function replacedExec(count: (letters: number) => void): () => void {
  const { exec } = RegExp.prototype;
  RegExp.prototype.exec = function (text) {
    const begin = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    count((match === null ? text.length : match.index + match[0].length) - begin + 1);
    return match;
  };
  return () => {
    RegExp.prototype.exec = exec;
  };
}
