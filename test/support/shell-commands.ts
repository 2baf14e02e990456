/** A simple command of a shell script: the variables before it, its program and its arguments, without quotes. */
export interface ShellCommand {
  readonly variables: Readonly<Record<string, string>>;
  /** Empty for variables alone. */
  readonly program: string;
  readonly args: readonly string[];
}

const words = new Set(['do', 'done', 'while', 'until', 'if', 'then', 'else', 'fi', 'for', '{', '}', '!', 'in']);

/** The simple commands of a script, those in `$(…)` and `<(…)` among them. Their output stands as `$(…)`. */
export function shellCommands(script: string): readonly ShellCommand[] {
  const found: string[][] = [];
  read(script.replace(/\\\n\s*/g, ' '), 0, found, false);
  return found.map(commandOf).filter(({ program, variables }) => program !== '' || Object.keys(variables).length > 0);
}

/** Reads up to the end, or to the `)` of a substitution, and returns where it ended. */
function read(text: string, start: number, found: string[][], isInner: boolean): number {
  let command: string[] = [];
  let word: string | undefined;
  let at = start;
  const endWord = () => {
    if (word !== undefined) command.push(word);
    word = undefined;
  };
  const endCommand = () => {
    endWord();
    if (command.length > 0) found.push(command);
    command = [];
  };
  // an arithmetic expansion has no commands
  if (isInner && text[at] === '(') return text.indexOf('))', at) + 1;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (isInner && char === ')') break;
    if (char === '\\') {
      word = (word ?? '') + (text[at + 1] ?? '');
      at += 2;
      continue;
    }
    const opens = /^[$<>]\($/.test(text.slice(at, at + 2));
    if (opens) {
      at = read(text, at + 2, found, true) + 1;
      word = `${word ?? ''}$(…)`;
      continue;
    }
    if (char === "'") {
      const end = text.indexOf("'", at + 1);
      word = (word ?? '') + text.slice(at + 1, end);
      at = end + 1;
      continue;
    }
    if (char === '"') {
      const [quoted, end] = doubleQuoted(text, at + 1, found);
      word = (word ?? '') + quoted;
      at = end;
      continue;
    }
    if (char === '#' && word === undefined) {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
      continue;
    }
    if (/[\n;&|]/.test(char)) endCommand();
    else if (/\s/.test(char)) endWord();
    else word = (word ?? '') + char;
    at++;
  }
  endCommand();
  return at;
}

function doubleQuoted(text: string, start: number, found: string[][]): readonly [text: string, end: number] {
  let quoted = '';
  let at = start;
  while (at < text.length && text[at] !== '"') {
    if (text.startsWith('$(', at)) {
      at = read(text, at + 2, found, true) + 1;
      quoted += '$(…)';
    } else {
      if (text[at] === '\\') at++;
      quoted += text[at] ?? '';
      at++;
    }
  }
  return [quoted, at + 1];
}

function commandOf(parts: readonly string[]): ShellCommand {
  const rest = parts.slice(parts.findIndex(part => !words.has(part)));
  const first = rest.findIndex(part => !/^[A-Za-z_]\w*=/.test(part));
  const assigned = first === -1 ? rest : rest.slice(0, first);
  const [program = '', ...args] = first === -1 ? [] : rest.slice(first);
  const isExport = program === 'export';
  const pairs = [...assigned, ...(isExport ? args : [])].map(pair => pair.split(/=(.*)/s, 2));
  return { variables: Object.fromEntries(pairs), program: words.has(program) ? '' : program, args };
}
