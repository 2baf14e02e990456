import { isRecord } from '../../base/text/record.ts';
import { hasForm, idForm, typeOf } from '../../dashboard/claims/made-up.ts';
import { reservedClaims } from '../../protocol/protocol-claims.ts';
import { type SampleMembers, type Samples, type TokenSample, tokenKinds } from './samples.ts';

/** Facts by name, such as `id_token.claims.email`. A value is JSON without anything personal. */
export type Facts = ReadonlyMap<string, unknown>;

/** Bounds for hostile samples: facts in all, and nesting of claims. */
const mostFacts = 3000;
const deepest = 4;
const mostValue = 5000;

/** Members whose values are compared, because each is a word of the vendor: no person, no moment and no secret. */
const wordClaims = ['typ', 'ver', 'version', 'token_use', 'token_type', 'gty', 'idtyp'];

/** The facts of a server. Both sides of a comparison are made by this function. */
export function factsOf(samples: Samples): Facts {
  const facts = new Map<string, unknown>();
  const tell = (name: string, value: unknown) => {
    if (facts.size < mostFacts && name.length < 300) facts.set(name, value);
  };
  for (const [name, value] of Object.entries(samples.metadata ?? {}))
    tell(`metadata.${name}`, metadataFact(name, value));
  tellKeys(samples.keys ?? [], tell);
  for (const kind of tokenKinds) {
    const token = samples.tokens[kind];
    if (token !== undefined) tellToken(kind, token, tell);
  }
  for (const [name, value] of Object.entries(samples.answer ?? {})) tell(`answer.${name}`, answerFact(name, value));
  if (samples.userinfo !== undefined) tellMembers('userinfo.claims', samples.userinfo, tell, 1);
  for (const name of samples.callback ?? []) tell(`callback.${name}`, 'present');
  return facts;
}

type Tell = (name: string, value: unknown) => void;

/** Addresses are compared by their path, because the sandbox has an origin of its own. Lists have no order. */
function metadataFact(name: string, value: unknown): unknown {
  if (Array.isArray(value) && value.every(item => typeof item === 'string'))
    return [...new Set(value)].slice(0, 1000).sort();
  if (isAddress(name)) return pathOf(value, 0);
  return (JSON.stringify(value) ?? '').length > mostValue ? `a large ${typeOf(value)}` : value;
}

function isAddress(name: string): boolean {
  return /^issuer$|_endpoint$|_iframe$|_aliases$|_uri$/.test(name) && !name.startsWith('op_');
}

function pathOf(value: unknown, depth: number): unknown {
  if (typeof value === 'string' && URL.canParse(value)) {
    const { pathname, search } = new URL(value);
    return pathname + search;
  }
  if (!isRecord(value) || depth > 1) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, pathOf(inner, depth + 1)]));
}

function tellKeys(keys: readonly SampleMembers[], tell: Tell): void {
  if (keys.length === 0) return;
  const named = (name: string) =>
    [...new Set(keys.slice(0, 100).flatMap(key => (typeof key[name] === 'string' ? [key[name]] : [])))].sort();
  tell('keys.members', [...new Set(keys.slice(0, 100).flatMap(key => Object.keys(key)))].slice(0, 50).sort());
  for (const name of ['kty', 'alg', 'use']) tell(`keys.${name}`, named(name));
}

function tellToken(kind: string, { text, header = {}, claims }: TokenSample, tell: Tell): void {
  if (text !== undefined) tell(`${kind}.format`, claims === undefined ? opaqueForm(text) : 'JWT');
  for (const [name, value] of Object.entries(header))
    tell(`${kind}.header.${name}`, ['alg', 'typ', 'cty'].includes(name) ? value : typeOf(value));
  if (claims === undefined) return;
  tellMembers(`${kind}.claims`, claims, tell, 1);
  if (typeof claims.exp === 'number' && typeof claims.iat === 'number')
    tell(`${kind}.lifetime`, Math.round(claims.exp - claims.iat));
}

/** Vendors mark their opaque tokens by a beginning. */
function opaqueForm(text: string): string {
  const mark = /^(?:[a-z]{2,12}_|ya29\.)/.exec(text)?.[0];
  return mark === undefined ? 'opaque' : `opaque, begins with ${mark}`;
}

function tellMembers(place: string, members: SampleMembers, tell: Tell, depth: number): void {
  for (const [name, value] of Object.entries(members)) {
    const fact = `${place}.${keyName(name)}`;
    tell(fact, depth === 1 ? claimFact(name, value) : typeOf(value));
    if (isRecord(value) && depth < deepest) tellMembers(fact, value, tell, depth + 1);
  }
}

/** Names of members that look like a person are not in facts. */
function keyName(name: string): string {
  return hasForm(name, 'UUID') || hasForm(name, 'e-mail address') ? idForm(name) : name;
}

function claimFact(name: string, value: unknown): unknown {
  if (name === 'iss') return pathOf(value, 0);
  if (wordClaims.includes(name) && typeof value !== 'object') return value;
  const isProtocol = name !== 'sub' && reservedClaims.includes(name);
  return typeof value === 'string' && !isProtocol ? idForm(value) : typeOf(value);
}

function answerFact(name: string, value: unknown): unknown {
  if (name === 'token_type') return value;
  return /(?:^|_)expires_in$/.test(name) ? `${String(value)} (${typeOf(value)})` : typeOf(value);
}
