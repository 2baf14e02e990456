import { isRecord } from '../../base/text/record.ts';
import type { IssuerEntry, SandboxConfig, SigningAlg } from '../../sandbox/config/sandbox-config.ts';
import { signingAlgs } from '../../sandbox/config/settings/signing-algs.ts';
import { configOf } from './drafts.ts';
import {
  at,
  type ExportPart,
  flagIn,
  ignores,
  leftOut,
  lose,
  numberIn,
  reads,
  recordsIn,
  tell,
  tellLost,
  textIn,
  type UseTable,
} from './members.ts';
import { clientsOf, mappingOf, rulesOf, scopesOf, usersOf } from './mock-oauth2-mappings.ts';

// JSON_CONFIG of navikt/mock-oauth2-server, whose class OAuth2Config has the members.
const configUses: UseTable = {
  ...reads('interactiveLogin tokenCallbacks tokenProvider httpServer'),
  ...ignores('rotateRefreshToken'),
  loginPagePath: { lost: 'the sandbox has a login page of its own' },
  staticAssetsPath: { lost: 'files are not served' },
};

const callbackUses: UseTable = reads('issuerId tokenExpiry requestMappings');

const mappingUses: UseTable = {
  ...reads('requestParam match claims'),
  typeHeader: { lost: 'the header `typ` of tokens cannot be chosen', usual: 'JWT' },
};

const providerUses: UseTable = {
  keyProvider: 'read',
  systemTime: { lost: 'freeze the clock by the control API: POST /_sandbox/clock' },
};

const keyUses: UseTable = { algorithm: 'read', initialKeys: { lost: 'write the keys to a file for KEYS_FILE' } };

/** Whether it has any member of the configuration; none of them is required. */
export function isMockConfig(value: unknown): boolean {
  return isRecord(value) && Object.keys(configUses).some(name => Object.hasOwn(value, name));
}

/** Turns the JSON_CONFIG of mock-oauth2-server into issuers with the users of its claims. Like the mock, they accept any client. */
export function importMockOauth2Server(found: ExportPart): SandboxConfig {
  tellLost(found, configUses, 'the configuration');
  const keys = at(at(found, 'tokenProvider'), 'keyProvider');
  tellLost(at(found, 'tokenProvider'), providerUses, 'the token provider');
  tellLost(keys, keyUses, 'the key provider');
  const server = at(found, 'httpServer');
  tellLost(server, { type: 'none', ssl: 'read' }, 'the HTTP server');
  const ssl = at(server, 'ssl');
  if (isRecord(ssl.value)) lose(ssl, 'set TLS=self-signed, or TLS_CERT and TLS_KEY');
  const algorithm = algorithmOf(at(keys, 'algorithm'));
  const isInteractive = flagIn(at(found, 'interactiveLogin')) === true;
  const issuers = new Map<string, IssuerEntry>();
  for (const each of recordsIn(at(found, 'tokenCallbacks'))) {
    const id = textIn(at(each, 'issuerId'));
    if (id === undefined) leftOut(each, 'it has no `issuerId`');
    else if (issuers.has(id)) leftOut(each, 'an earlier one has the same `issuerId`');
    else issuers.set(id, issuerOf(each, isInteractive));
  }
  if (!isInteractive && [...issuers.values()].every(each => each.autoLogin === undefined))
    tell(found, 'no user is signed in without a login page, because no mapping of a login names one: set `autoLogin`');
  return {
    ...(algorithm !== undefined && algorithm !== 'RS256' && { signingAlg: algorithm }),
    anyClient: true,
    anyIssuer: true,
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
  const users = usersOf(mappings);
  const config = configOf(found, { users, scopes: scopesOf(mappings), clients: clientsOf(mappings) });
  const [user] = config.users ?? [];
  const rules = rulesOf(mappings);
  return {
    ...(expiry !== undefined && expiry > 0 && { accessTokenLifetime: expiry, idTokenLifetime: expiry }),
    ...(!isInteractive && user !== undefined && { autoLogin: user.sub }),
    ...config,
    ...(rules.length > 0 && { tokenClaims: rules }),
  };
}
