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
  /** Completes "the application wants to …". */
  readonly words: string;
  /** The scope, the claim or the type. */
  readonly name: string;
  /** Names of the claims it releases. */
  readonly claims: readonly string[];
  /** Cannot be unticked. */
  readonly isFixed: boolean;
  /** Its contents, as path and value. */
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

export function consentView({ page, user, action, scopes, types, language }: ConsentSource): ConsentView {
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
      ...asked.scopes.map(name => scopeLine(name, scopes.get(name), language)),
      ...asked.claims.map(name => claimLine(name, language)),
      ...asked.details.map((detail, index) => detailLine(detail, index, types)),
    ],
    target: targetHost(request.redirect_uri),
    ...clientFacts(client, request.redirect_uri, language),
  };
}

const line = { claims: [], isFixed: false, rows: [] } as const;

function scopeLine(name: string, scope: ScopeDefinition | undefined, language: Language): ConsentLine {
  const { description: words } = scopeWords(name, scope, language);
  const { claims = [] } = scope ?? {};
  const isFixed = name === 'openid';
  return { ...line, field: `scope:${name}`, testId: `consent-scope-${name}`, words, name, claims, isFixed };
}

function claimLine(name: string, { say }: Language): ConsentLine {
  const words = say('seeClaim', { claim: name.replaceAll('_', ' ') });
  return { ...line, field: `claim:${name}`, testId: `consent-claim-${name}`, words, name };
}

function detailLine(
  { type, ...fields }: AuthorizationDetail,
  index: number,
  types: ReadonlyMap<string, AuthorizationDetailsType>,
): ConsentLine {
  return {
    ...line,
    field: `detail:${index}`,
    testId: `consent-detail-${index}`,
    words: types.get(type)?.description ?? type,
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
