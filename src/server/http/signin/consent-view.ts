import type { AuthorizationDetail, AuthorizationDetailsType } from '../../../protocol/authorization.ts';
import type { ConsentPage } from '../../../protocol/endpoints/endpoint.ts';
import type { ScopeDefinition } from '../../../protocol/scope.ts';
import { consentItems } from '../../../protocol/users/consent.ts';
import { displayName, type TestUser } from '../../../protocol/users/user.ts';
import type { PageBrand } from './brand.ts';
import { type ClientFacts, clientFacts, targetHost } from './client-facts.ts';
import type { Language } from './language.ts';
import { scopeWords } from './scope-words.ts';

/** Data for the consent screen. */
export interface ConsentSource {
  readonly language: Language;
  readonly page: ConsentPage;
  readonly user: TestUser | undefined;
  /** `/consent?<the authorization request>` */
  readonly action: string;
  readonly scopes: ReadonlyMap<string, ScopeDefinition>;
  readonly types: ReadonlyMap<string, AuthorizationDetailsType>;
}

/** One box of the consent screen. */
export interface ConsentLine {
  /** Name of the form field: `scope:email`. */
  readonly field: string;
  readonly testId: string;
  /** Says what is allowed, with a capital at the front. */
  readonly words: string;
  /** The scope, the claim or the type. */
  readonly name: string;
  /** Cannot be unticked. */
  readonly isFixed: boolean;
  /** Why it cannot be unticked, or that nothing is sent; mostly empty. */
  readonly note: string;
  /** The claims that will be sent, or its contents: each as path and value. */
  readonly rows: readonly (readonly [name: string, value: string])[];
}

/** Members the consent template shows. */
export interface ConsentView extends ClientFacts {
  readonly language: Language;
  readonly action: string;
  readonly client: ConsentPage['client'];
  readonly brand?: PageBrand;
  readonly sid: string;
  readonly userName: string;
  readonly userSub: string;
  readonly lines: readonly ConsentLine[];
  readonly target: string;
}

export function consentView(source: ConsentSource): ConsentView {
  const { page, user, action, scopes, language } = source;
  const { client, request, session } = page;
  const asked = consentItems({ scopes }, request);
  return {
    language,
    action,
    client,
    sid: session.sid,
    userName: user === undefined ? session.sub : displayName(user),
    userSub: session.sub,
    lines: [
      ...asked.scopes.map(name => scopeLine(source, name)),
      ...asked.claims.map(name => claimLine(source, name)),
      ...asked.details.map((detail, index) => detailLine(source, detail, index)),
    ],
    target: targetHost(request.redirect_uri),
    ...clientFacts(client, request.redirect_uri, language),
  };
}

const line = { note: '', isFixed: false, rows: [] } as const;

function scopeLine({ scopes, user, language }: ConsentSource, name: string): ConsentLine {
  const scope = scopes.get(name);
  const { description } = scopeWords(name, scope, language);
  const isFixed = name === 'openid';
  const always = isFixed ? { note: language.say('alwaysPart') } : {};
  const words = capitalized(description, language);
  const sent = sentClaims(user, scope?.claims ?? [], language);
  return { ...line, field: `scope:${name}`, testId: `consent-scope-${name}`, words, name, isFixed, ...sent, ...always };
}

function claimLine({ user, language }: ConsentSource, name: string): ConsentLine {
  const words = capitalized(language.say('seeClaim', { claim: name.replaceAll('_', ' ') }), language);
  const sent = sentClaims(user, [name], language);
  return { ...line, field: `claim:${name}`, testId: `consent-claim-${name}`, words, name, ...sent };
}

/** The claims of these names that the user has. */
function sentClaims(
  user: TestUser | undefined,
  names: readonly string[],
  { say }: Language,
): Partial<Pick<ConsentLine, 'note' | 'rows'>> {
  const { claims = {} } = user ?? {};
  const rows = names.flatMap(name => (Object.hasOwn(claims, name) ? detailRows(claims[name], name) : []));
  if (rows.length > 0 || names.length === 0 || user === undefined) return { rows };
  return { rows, note: say('nothingSent', { name: displayName(user) }) };
}

function capitalized(words: string, { tag }: Language): string {
  const [first = '', ...rest] = words;
  return first.toLocaleUpperCase(tag) + rest.join('');
}

function detailLine(
  { types, language }: ConsentSource,
  { type, ...fields }: AuthorizationDetail,
  index: number,
): ConsentLine {
  return {
    ...line,
    field: `detail:${index}`,
    testId: `consent-detail-${index}`,
    words: capitalized(types.get(type)?.description ?? type, language),
    name: type,
    rows: detailRows(fields),
  };
}

/** Names and values to show. A nested value has its path as the name: `instructedAmount.currency`, `EUR`. */
export function detailRows(value: unknown, path = ''): [string, string][] {
  if (Array.isArray(value)) {
    if (value.every(each => typeof each !== 'object' || each === null)) return [[path, value.map(String).join(', ')]];
    return value.flatMap((each, index) => detailRows(each, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, each]) => detailRows(each, path === '' ? name : `${path}.${name}`));
}
