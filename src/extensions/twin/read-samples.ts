import { resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { isRecord } from '../../base/text/record.ts';
import { type Pasted, readPasted } from '../../dashboard/decode/pasted.ts';
import { send } from '../../server/wire/send.ts';
import { boundedText } from '../import/read-files.ts';
import { readJson } from '../import/read-text.ts';
import { readHar, readLogin } from './read-login.ts';
import {
  kindOf,
  type SampleMembers,
  type SampleReading,
  type Samples,
  sampleOf,
  type TokenKind,
  type TokenSample,
} from './samples.ts';

/** The files that somebody named. */
export interface SampleFiles {
  /** Base of relative paths. */
  readonly cwd: string;
  /** A file or a URL. */
  readonly discovery?: string;
  readonly tokens: readonly string[];
  readonly jwks?: string;
  readonly har?: string;
}

/** A file that cannot be read; the message begins with its name. */
export class SampleProblem extends Error {
  override readonly name = 'SampleProblem';
}

const mostTokenText = 64 * 1024;
const mostTokenFiles = 20;

/**
 * Reads all files. A file that was named for one kind counts before the recorded login.
 * @throws SampleProblem
 */
export async function readSamples({ cwd, discovery, tokens, jwks, har }: SampleFiles): Promise<SampleReading> {
  const read = (name: string) => readFile(name, resolve(cwd, name));
  const recorded = har === undefined ? emptyReading : loginIn(har, read(har));
  const metadata = discovery === undefined ? undefined : await metadataOf(discovery, read);
  const keys = jwks === undefined ? undefined : keysIn(jwks, read(jwks));
  if (tokens.length > mostTokenFiles)
    throw new SampleProblem(`${tokens.length} token files are more than ${mostTokenFiles}`);
  const named = tokens.map(name => tokensIn(name, textIn(name, resolve(cwd, name))));
  const samples: Samples = {
    ...recorded.samples,
    ...defined({ metadata, keys }),
    ...defined({
      answer: recorded.samples.answer ?? named.map(({ answer }) => answer).find(each => each !== undefined),
    }),
    tokens: Object.assign({}, recorded.samples.tokens, ...named.toReversed().map(each => each.tokens)),
  };
  return { ...recorded, samples };
}

const emptyReading: SampleReading = { samples: { tokens: {} }, clients: [], secrets: {} };

function textIn(name: string, path: string): string {
  const read = boundedText(path);
  if ('problem' in read) throw new SampleProblem(`${name} ${read.problem}`);
  return read.text;
}

/** The JSON of a file. @throws SampleProblem */
export function readFile(name: string, path: string): unknown {
  return jsonIn(name, textIn(name, path));
}

function jsonIn(name: string, text: string): unknown {
  const read = readJson(text);
  if ('problem' in read) throw new SampleProblem(`${name} cannot be read: ${read.problem}`);
  return read.value;
}

async function metadataOf(name: string, read: (name: string) => unknown): Promise<SampleMembers> {
  const value = /^https?:\/\//i.test(name) ? await download(name) : read(name);
  if (isRecord(value) && typeof value.issuer === 'string') return value;
  throw new SampleProblem(`${name} is no discovery document: it has no member \`issuer\``);
}

async function download(url: string): Promise<unknown> {
  if (!URL.canParse(url)) throw new SampleProblem(`${url} is not a valid URL`);
  const fetched = await fetchSample(url);
  if ('problem' in fetched) throw new SampleProblem(`${url} ${fetched.problem}`);
  return jsonIn(url, fetched.text);
}

function keysIn(name: string, value: unknown): readonly SampleMembers[] {
  if (isRecord(value) && Array.isArray(value.keys)) return value.keys.filter(isRecord);
  throw new SampleProblem(`${name} is no JWK Set: it has no list \`keys\``);
}

function loginIn(name: string, value: unknown): SampleReading {
  const exchanges = readHar(value);
  if (exchanges === undefined) throw new SampleProblem(`${name} is no HAR file: it has no list \`log.entries\``);
  return readLogin(exchanges);
}

interface TokenFile {
  readonly tokens: Samples['tokens'];
  readonly answer?: SampleMembers;
}

/** A token, a token response, or claims that were decoded elsewhere. */
function tokensIn(name: string, text: string): TokenFile {
  if (text.length > mostTokenText)
    throw new SampleProblem(`${name} is longer than ${mostTokenText / 1024} KiB: it has no token alone`);
  const isJson = /^\s*[{[]/.test(text);
  const value = isJson ? jsonIn(name, text) : undefined;
  const found = foundIn(readPasted(text));
  if (Object.keys(found).length === 0)
    throw new SampleProblem(`${name} has no token: expected a JWT, a token response or claims as JSON`);
  const isAnswer = isRecord(value) && typeof value.access_token === 'string';
  return { tokens: found, ...(isAnswer && { answer: value }) };
}

function foundIn({ tokens, decoded }: Pasted): Samples['tokens'] {
  const found: Partial<Record<TokenKind, TokenSample>> = {};
  const add = (name: string, sample: TokenSample) => {
    const kind = kindOf(name, sample);
    if (kind !== undefined) found[kind] ??= sample;
  };
  for (const { name, text } of tokens) if (text !== '') add(name, sampleOf(text));
  if (decoded !== undefined) add('', decoded);
  return found;
}

/** Bounds of a download: seconds and bytes in all, and redirects. */
const longest = 10;
const mostBytes = 1024 * 1024;
const mostRedirects = 3;

/**
 * Downloads a document, because somebody typed its URL. It follows redirects to the same host only, so that an address
 * cannot lead into another network.
 */
async function fetchSample(typed: string): Promise<{ readonly text: string } | { readonly problem: string }> {
  const end = Date.now() + longest * 1000;
  let url = new URL(typed);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const answered = await answerOf(url, (end - Date.now()) / 1000);
    if ('problem' in answered) return answered;
    const { status, headers, text } = answered;
    if (status === 200) return { text };
    if (![301, 302, 303, 307, 308].includes(status)) return { problem: `answered ${status}` };
    const next = URL.canParse(headers.location ?? '', url) ? new URL(headers.location ?? '', url) : undefined;
    if (next === undefined || !isSameHost(url, next))
      return { problem: 'redirects to another host, which is not followed: give that address' };
    url = next;
  }
  return { problem: `redirects more than ${mostRedirects} times` };
}

/** Never from HTTPS to HTTP. */
function isSameHost(from: URL, to: URL): boolean {
  const isAsSafe = to.protocol === from.protocol || (from.protocol === 'http:' && to.protocol === 'https:');
  return isAsSafe && to.hostname === from.hostname && (to.port === from.port || to.protocol !== from.protocol);
}

async function answerOf(url: URL, timeoutSeconds: number) {
  if (timeoutSeconds <= 0) return { problem: `did not answer in ${longest} s` };
  try {
    return await send(url, { timeoutSeconds, maxBytes: mostBytes, headers: { Accept: 'application/json' } });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = code !== '' ? code : error instanceof Error ? error.message : 'no response';
    return { problem: `cannot be downloaded (${reason})` };
  }
}
