import type { JsonValue } from '../config/json.ts';
import type { IssuerEntry, SandboxConfig, ScopeEntry, SigningAlg, UserEntry } from '../config/sandbox-config.ts';
import { signingAlgs } from '../config/settings/signing-algs.ts';
import { reservedClaims } from '../oauth/protocol-claims.ts';
import { isRecord } from '../text/record.ts';
import { type ClaimValues, configOf, type Drafted, type DraftedEntries, userOf } from './drafts.ts';
import {
  at,
  type ExportPart,
  flagIn,
  leftOut,
  numberIn,
  recordsIn,
  tell,
  tellLost,
  textIn,
  type UseTable,
} from './members.ts';

// JSON_CONFIG of navikt/mock-oauth2-server, whose class OAuth2Config has the members.
const configUses: UseTable = {
  interactiveLogin: 'read', // autoLogin
  tokenCallbacks: 'read',
  tokenProvider: 'read',
  httpServer: 'read',
  rotateRefreshToken: 'none',
  loginPagePath: { lost: 'the sandbox has a login page of its own' },
  staticAssetsPath: { lost: 'files are not served' },
};

const callbackUses: UseTable = { issuerId: 'read', tokenExpiry: 'read', requestMappings: 'read' };

const mappingUses: UseTable = {
  requestParam: 'read',
  match: 'read',
  claims: 'read',
  typeHeader: { lost: 'the header `typ` of tokens cannot be chosen', usual: 'JWT' },
};

const providerUses: UseTable = {
  keyProvider: 'read',
  systemTime: { lost: 'freeze the clock by the control API: POST /_sandbox/clock' },
};

const keyUses: UseTable = { algorithm: 'read', initialKeys: { lost: 'write the keys to a file for KEYS_FILE' } };

/** Turns the JSON_CONFIG of mock-oauth2-server into issuers with the users of its claims. */
export function importMockOauth2Server(found: ExportPart): SandboxConfig {
  tellLost(found, configUses, 'the configuration');
  const keys = at(at(found, 'tokenProvider'), 'keyProvider');
  tellLost(at(found, 'tokenProvider'), providerUses, 'the token provider');
  tellLost(keys, keyUses, 'the key provider');
  const ssl = at(at(found, 'httpServer'), 'ssl');
  if (isRecord(ssl.value)) tell(ssl, 'set TLS=self-signed, or TLS_CERT and TLS_KEY');
  const algorithm = algorithmOf(at(keys, 'algorithm'));
  const isInteractive = flagIn(at(found, 'interactiveLogin')) === true;
  const issuers = new Map<string, IssuerEntry>();
  for (const each of recordsIn(at(found, 'tokenCallbacks'))) {
    const id = textIn(at(each, 'issuerId'));
    if (id === undefined) continue;
    if (issuers.has(id)) leftOut(each, 'an earlier one has the same `issuerId`');
    else issuers.set(id, issuerOf(each, isInteractive));
  }
  const told = 'no clients are named, because any is accepted there: add yours to `clients` of the issuer';
  tell(at(found, 'tokenCallbacks'), told);
  return {
    ...(algorithm !== undefined && algorithm !== 'RS256' && { signingAlg: algorithm }),
    ...(issuers.size > 0 && { issuers: Object.fromEntries(issuers) }),
  };
}

function algorithmOf(found: ExportPart): SigningAlg | undefined {
  const text = textIn(found);
  const known = signingAlgs.find(each => each === text);
  if (text !== undefined && known === undefined) tell(found, 'left out, because it is not an algorithm');
  return known;
}

function issuerOf(found: ExportPart, isInteractive: boolean): IssuerEntry {
  tellLost(found, callbackUses, 'a token callback');
  const expiry = numberIn(at(found, 'tokenExpiry'));
  const mappings = recordsIn(at(found, 'requestMappings')).map(each => {
    tellLost(each, mappingUses, 'a request mapping');
    return mappingOf(each);
  });
  const { users: _, ...drafted } = entriesOf(mappings);
  const config = configOf(found, { ...drafted, users: uniqueUsers(mappings) });
  const [user] = config.users ?? [];
  const rules = mappings.filter(isOfServices).map(({ match, claims }) => ({ grant: match, claims }));
  return {
    ...(expiry !== undefined && expiry > 0 && { accessTokenLifetime: expiry, idTokenLifetime: expiry }),
    ...(!isInteractive && user !== undefined && { autoLogin: user.sub }),
    ...config,
    ...(rules.length > 0 && { tokenClaims: rules }),
  };
}

interface Mapping {
  readonly found: ExportPart;
  /** The parameter of the token request, and its value: `*` and regular expressions match more. */
  readonly parameter: string;
  readonly match: string;
  readonly sub: string | undefined;
  readonly claims: ClaimValues;
}

function mappingOf(found: ExportPart): Mapping {
  const { value } = at(found, 'claims');
  const claims = isRecord(value) ? value : {};
  const { sub } = claims;
  const parameter = textIn(at(found, 'requestParam')) ?? '';
  const match = textIn(at(found, 'match')) ?? '*';
  const own = Object.entries(claims).flatMap(([name, claim]) => {
    if (reservedClaims.includes(name)) return [];
    const made = withClient(claim, isOfService(parameter, match) ? clientTemplate(parameter, match) : undefined);
    if (made === undefined)
      tell(at(at(found, 'claims'), name), 'left out, because it has a template that is not known');
    return made === undefined ? [] : [[name, made] as const];
  });
  const isPlain = typeof sub === 'string' && !sub.includes('${');
  return { found, parameter, match, sub: isPlain ? sub : undefined, claims: Object.fromEntries(own) };
}

/** The client of a token: it is known for a mapping of one client, and a template of a rule otherwise. */
function clientTemplate(parameter: string, match: string): string {
  return parameter === 'client_id' ? match : '${client.client_id}';
}

/** The claim with the client in place of `${clientId}`; undefined if it has any other template, or one of a rule of ours. */
function withClient(claim: unknown, client: string | undefined): JsonValue | undefined {
  const text = JSON.stringify(claim);
  const rest = client === undefined ? text : text.replaceAll('${clientId}', '');
  if (/\$\{|"\$|"\.\.\.|^undefined$/.test(rest)) return undefined;
  const named = JSON.stringify(client ?? '').slice(1, -1);
  return JSON.parse(text.replaceAll('${clientId}', () => named)) as JsonValue; // it was JSON
}

/** Of the first mapping with that subject. */
function uniqueUsers(mappings: readonly Mapping[]): readonly Drafted<UserEntry>[] {
  const bySub = new Map<string, Drafted<UserEntry>>();
  for (const { found, sub, claims, parameter, match } of mappings) {
    if (sub === undefined || isOfService(parameter, match) || bySub.has(sub)) continue;
    bySub.set(sub, { found, entry: userOf({ sub }, claims, new Set(Object.keys(claims))) });
  }
  return [...bySub.values()];
}

function isOfService(parameter: string, match: string): boolean {
  return parameter === 'client_id' || (parameter === 'grant_type' && match === 'client_credentials');
}

/** Of all clients that act for themselves. */
function isOfServices({ parameter, match, claims }: Mapping): boolean {
  return parameter === 'grant_type' && isOfService(parameter, match) && Object.keys(claims).length > 0;
}

/** A mapping of a scope gives its claims to each token with the scope, one of a client to each token of the client. */
function entriesOf(mappings: readonly Mapping[]): DraftedEntries {
  const isPlain = ({ match }: Mapping) => /^[\w.:/-]+$/.test(match);
  const scopes = mappings.filter(each => each.parameter === 'scope' && isPlain(each));
  const clients = mappings.filter(each => each.parameter === 'client_id' && isPlain(each));
  return {
    scopes: scopes.map(({ found, match: name, claims }) => ({ found, name, entry: access(claims) })),
    clients: clients.map(({ found, match: client_id, claims }) => ({
      found,
      entry: {
        client_id,
        client_secret: `${client_id}-secret`,
        grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
        loopback_redirects: true,
        ...audienceOf(found),
        ...access(claims),
      },
    })),
  };
}

function access(claims: ClaimValues): Pick<ScopeEntry, 'access_token_claims'> {
  // parsed JSON
  return Object.keys(claims).length === 0
    ? {}
    : { access_token_claims: claims as NonNullable<ScopeEntry['access_token_claims']> };
}

function audienceOf(found: ExportPart): { readonly audience?: readonly string[] } {
  const { value } = at(at(found, 'claims'), 'aud');
  const texts = (Array.isArray(value) ? value : [value]).filter(
    each => typeof each === 'string' && !each.includes('${'),
  );
  return texts.length === 0 ? {} : { audience: texts as string[] };
}
