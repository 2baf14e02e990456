import { type HttpCall, quote } from '../../../dashboard/http-call.ts';

/** The words of a curl command without their quotes. Placeholders are still in them. */
export type CurlWords = readonly string[];

/** Words of a shell that expand nothing: no variable, no pattern, no pipe. */
const word = /(?:'[^']*'|"[^"\\$`!]*"|\\[^\n]|\{\{\w+\}\}|[^\s'"\\$`|;&<>(){}*?!#])+/y;

/** Reads a block of commands, of which each is a curl with plain words; undefined for any other. */
export function curlsIn(block: string): readonly CurlWords[] | undefined {
  const lines = block.replace(/\\\n\s*/g, ' ').split('\n');
  const commands = lines.filter(line => line.trim() !== '').map(wordsOf);
  return commands.length > 0 && commands.every((words): words is CurlWords => words?.[0] === 'curl')
    ? commands
    : undefined;
}

function wordsOf(line: string): CurlWords | undefined {
  const words: string[] = [];
  const rest = line.trim();
  for (let at = 0; at < rest.length; ) {
    word.lastIndex = at;
    const [found] = word.exec(rest) ?? [];
    if (found === undefined) return undefined;
    words.push(
      found.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped),
    );
    at += found.length;
    while (rest[at] === ' ') at += 1;
  }
  return words;
}

/** The command for a POSIX shell. */
export function asBash(words: CurlWords): string {
  return words.map(quote).join(' ');
}

/**
 * The command for PowerShell on Windows; undefined for one that no version of it passes on unchanged. `curl` alone is a different
 * program in Windows PowerShell. A quotation mark or nothing in an argument gets lost on its way to a program, so such a body
 * goes through a pipe; curl takes the line end away again.
 */
export function asPowerShell(words: CurlWords): string | undefined {
  const isLost = (text: string) => text === '' || /["\n]|\\$/.test(text);
  const lost = words.flatMap((text, index) => (isLost(text) ? [index] : []));
  const args = words.slice(1);
  const [at = 0] = lost;
  if (lost.length === 0) return ['curl.exe', ...args.map(quoteForPowerShell)].join(' ');
  const isBody = words[at - 1] === '-d' && words.filter(text => text === '-d').length === 1;
  if (lost.length > 1 || !isBody) return undefined;
  const piped = args.with(at - 1, '@-').map(quoteForPowerShell);
  return `${inPowerShell(words[at] ?? '')} | curl.exe ${piped.join(' ')}`;
}

function quoteForPowerShell(text: string): string {
  return /^(?:--?[a-zA-Z]+(?:-[a-z]+)*|\w[\w./:=-]*)$/.test(text) ? text : inPowerShell(text);
}

/** PowerShell takes typographic quotes for quotes, too. */
function inPowerShell(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;
}

/** The request that curl makes of these words; undefined for an option that no lesson has. */
export function callOf([, ...words]: CurlWords): HttpCall | undefined {
  const options = optionsOf(words);
  if (options === undefined) return undefined;
  const all = (name: string) => options.flatMap(([option, value]) => (option === name ? [value] : []));
  const [url, ...others] = all('url');
  const data = all('-d');
  if (url === undefined || others.length > 0 || data.some(text => text.startsWith('@'))) return undefined;
  const headers = all('-H').map(headerOf);
  for (const secret of all('-u')) headers.push(['Authorization', `Basic ${Buffer.from(secret).toString('base64')}`]);
  const [method = data.length > 0 ? 'POST' : 'GET'] = all('-X');
  if (data.length === 0) return { method, url, headers };
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  if (!hasType) headers.push(['Content-Type', 'application/x-www-form-urlencoded']);
  return { method, url, headers, body: data.join('&') };
}

type Option = readonly [name: string, value: string];

function optionsOf(words: CurlWords): readonly Option[] | undefined {
  const options: Option[] = [];
  for (let at = 0; at < words.length; at++) {
    const text = words[at] ?? '';
    if (/^-[isS]+$/.test(text)) continue;
    if (['-X', '-d', '-u', '-H'].includes(text)) options.push([text, words[++at] ?? '']);
    else if (text.startsWith('-')) return undefined;
    else options.push(['url', text]);
  }
  return options;
}

function headerOf(line: string): Option {
  const at = line.indexOf(':');
  return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}
