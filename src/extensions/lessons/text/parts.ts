import { marked, type Token, type Tokens } from 'marked';
import { asBash, asPowerShell, type CurlWords, callOf, curlsIn } from './command.ts';
import { blankOf, type Field, fieldOf, filledIn, namesIn } from './fields.ts';

/** A block of commands of a lesson, or an address to open. */
export interface CommandBlock {
  /** Unique in the lesson. */
  readonly key: string;
  /** As `lesson.md` has it. */
  readonly source: string;
  /** An address, which no shell runs. */
  readonly isAddress: boolean;
  /** Its requests, if all of its lines are requests that the page can send as well. */
  readonly curls?: readonly CurlWords[];
  /** The author's own form for PowerShell, for a block that is not curl alone. */
  readonly powershell?: string;
}

/** A file that the learner downloads: a block of code whose language has a name behind it. */
export interface FileBlock {
  readonly name: string;
  readonly text: string;
}

/** A part of a text: Markdown, a command, a box for a value, or a file. */
export type TextPart =
  | { readonly markdown: string }
  | { readonly command: CommandBlock }
  | { readonly field: Field }
  | { readonly file: FileBlock };

/** Splits the Markdown of a task, a hint or a solution. `key` begins the keys of its commands. */
export function partsOf(text: string, key: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let plain = '';
  const flush = () => {
    if (plain.trim() !== '') parts.push({ markdown: plain });
    plain = '';
  };
  const tokens = marked.lexer(text).filter(({ type }) => type !== 'space');
  for (const [index, token] of tokens.entries()) {
    const fields = fieldsOf(token);
    const file = fileOf(token);
    if (isCode(token, 'powershell') && isCode(tokens[index - 1], 'sh')) continue;
    if (file === undefined && fields === undefined && !isCode(token, 'sh') && !isCode(token, 'text')) {
      plain += `${token.raw.trimEnd()}\n\n`;
      continue;
    }
    flush();
    if (file !== undefined) parts.push({ file });
    else if (fields !== undefined) parts.push(...fields.map(field => ({ field })));
    else parts.push({ command: commandOf(token as Tokens.Code, tokens[index + 1], `${key}-${index}`) }); // by isCode
  }
  flush();
  return parts;
}

function isCode(token: Token | undefined, lang: string): token is Tokens.Code {
  return token?.type === 'code' && token.lang === lang;
}

function fileOf(token: Token): FileBlock | undefined {
  if (token.type !== 'code') return undefined;
  const { lang, text } = token as Tokens.Code; // by its type
  const [, name] = fileName.exec(lang ?? '') ?? [];
  return name === undefined ? undefined : { name, text };
}

/** `js careless-client.mjs` after the fence. */
const fileName = /^\w+ ([\w-]+(?:\.[\w-]+)+)$/;

/** The boxes of a paragraph that has nothing else. */
function fieldsOf(token: Token): readonly Field[] | undefined {
  if (token.type !== 'paragraph') return undefined;
  const fields = (token.raw as string).trim().split('\n').map(fieldOf);
  return fields.every(field => field !== undefined) ? fields : undefined;
}

function commandOf({ text, lang }: Tokens.Code, next: Token | undefined, key: string): CommandBlock {
  const curls = lang === 'sh' ? curlsIn(text) : undefined;
  const canSend = curls?.every(words => callOf(words) !== undefined) === true;
  return {
    ...{ key, source: text, isAddress: lang === 'text' },
    ...(canSend ? { curls } : {}),
    ...(isCode(next, 'powershell') ? { powershell: next.text } : {}),
  };
}

/** The command in each shell, with the values of the learner. Fields without a value have a blank that no server accepts. */
export function formsOf({ source, isAddress, powershell }: CommandBlock, values: Readonly<Record<string, string>>) {
  const blanks = Object.fromEntries(namesIn(`${source}${powershell ?? ''}`).map(name => [name, blankOf(name)]));
  const fill = (text: string) => filledIn(text, { ...blanks, ...values });
  const curls = isAddress ? undefined : curlsIn(source)?.map(words => words.map(fill));
  const own = powershell === undefined ? undefined : fill(powershell);
  return {
    bash: curls?.map(asBash).join('\n') ?? fill(source),
    powershell: own ?? whole(curls?.map(asPowerShell)),
  };
}

function whole(lines: readonly (string | undefined)[] | undefined): string | undefined {
  return lines?.every(line => line !== undefined) === true ? lines.join('\n') : undefined;
}
