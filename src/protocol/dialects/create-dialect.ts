import { defined } from '../../base/defined.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { Dialect, MessageMode, SpokenError } from '../dialect.ts';
import { invalidScope, type OAuthError } from '../errors.ts';
import { configuredResources } from '../requests/requested-access.ts';
import { claimsByRules, fillTemplate } from './claim-rules.ts';
import type { DialectData, ErrorRule } from './dialect-data.ts';
import { checkMember } from './organizations.ts';
import { renamed, wireOf } from './wire.ts';
import { refreshJwt, written } from './written-claims.ts';

/** Seconds after its end in which a token is still recognised, so that a refusal can say that it has expired. */
const recognised = 24 * 3600;

/** Makes a dialect from its data. `addressOf` is the address of the sandbox that an issuer has, for templates. */
export function createDialect(
  data: DialectData,
  addressOf: (issuer: string) => string = issuer => issuer,
): Dialect<AuthorizationServer> {
  const { name, options, forms, metadata = {}, errors, messages = {}, identifier, otherIdentifiers } = data;
  const refreshForm = forms.refreshToken;
  return {
    ...givenMembers(data),
    ...wireOf(data),
    idTokenHasId: forms.idToken?.rules.some(rule => 'claims' in rule && 'jti' in rule.claims) === true,
    messageModes: Object.keys(messages) as MessageMode[], // the type of its keys
    message: ({ mode, parameters }) => fillTemplate(messages[mode], { response: parameters }),
    parameters: sent => renamed(sent, data.parameterNames ?? {}),
    identifier: address => identifierAt(address, identifier, options),
    ...(otherIdentifiers && {
      identifiers: address => [identifier, ...otherIdentifiers].map(each => identifierAt(address, each, options)),
    }),
    write(kind, about, members) {
      const form = forms[kind];
      // a form may leave out members that the type has; only members that clients read are read from the result
      return form === undefined ? members : (written(form, data, about, members) as typeof members);
    },
    written: (usual, now) => ({
      by: name,
      claims: Object.keys(now).filter(name => now[name] !== usual[name]),
    }),
    metadata({ issuer, signingAlg }, usual) {
      const { add = {}, keep, omit = [] } = metadata;
      const kept = Object.entries(usual).filter(([name]) => !omit.includes(name) && keep?.includes(name) !== false);
      const context = { ...addressParts(issuer), address: addressOf(issuer), options, signingAlg, usual };
      return { ...Object.fromEntries(kept), ...claimsByRules([{ claims: add }], context) };
    },
    async keepClaims({ store, clock }, token, claims, exp) {
      await store.put(['kept_claims', token], claims, Math.max(0, exp - clock()) + recognised);
    },
    ownClaims: ({ store }, token) => store.get<Readonly<Record<string, unknown>>>(['kept_claims', token]),
    spoken(error, answering) {
      const spoken = spokenBy([errors[error.reason] ?? []].flat(), error);
      return answering && data.finishError ? data.finishError(spoken, error, answering) : spoken;
    },
    ...(data.scopeNeeded && { scopes: neededScopes }),
    ...(data.opaqueWithoutResource && { isOpaque: resources => resources.length === 0 }),
    ...(data.resources && { knowsResource: (server, resource) => knownResources(server, data).includes(resource) }),
    ...(data.organizations && { checkMember }),
    ...(refreshForm && { refreshToken: (about, facts) => refreshJwt(refreshForm, data, about, facts) }),
  };
}

function givenMembers(data: DialectData) {
  const { name, options, accessTokenType, takesBasicId, refreshNeedsScope, userinfoByScope } = data;
  const { heard, loginName, ownSectors, openScopes, redirectUriNeeded, takesSecretTwice } = data;
  const needs = { takesBasicId, takesSecretTwice, redirectUriNeeded, refreshNeedsScope, userinfoByScope };
  const optional = { heard, loginName, ownSectors, openScopes, ...needs };
  return { name, options, accessTokenType, ...defined(optional) };
}

/** @throws invalid_scope for a request without scopes of a client without default scopes */
function neededScopes(asked: string[], usual: string[]): string[] {
  if (asked.length > 0) return asked;
  if (usual.length > 0) return usual;
  const expected = 'scope, or default_scope of the client';
  throw invalidScope('scope_missing', 'scope is missing, and the client has no default scopes', { expected });
}

function addressParts(issuer: string): Readonly<Record<'issuer' | 'origin' | 'host', string>> {
  const { origin, host } = new URL(issuer);
  return { issuer, origin, host };
}

function identifierAt(address: string, template: string | undefined, options: DialectData['options']): string {
  return template === undefined ? address : String(fillTemplate(template, { ...addressParts(address), options }));
}

function spokenBy(rules: readonly ErrorRule[], { details, description }: OAuthError): SpokenError | undefined {
  const rule = rules.find(({ sent }) => sent === undefined || sent === details.sent);
  if (rule?.error_description === undefined) return rule;
  const text = fillTemplate(rule.error_description, { sent: details.sent, expected: details.expected });
  return { ...rule, error_description: typeof text === 'string' ? text : description };
}

const added = new WeakMap<AuthorizationServer, Set<string>>();

/** Identifiers of APIs that programs have added. The set can be changed. */
export function addedResources(server: AuthorizationServer): Set<string> {
  const found = added.get(server) ?? new Set();
  added.set(server, found);
  return found;
}

/** Identifiers of all APIs: those of the provider, of the sandbox and of the clients, and those that programs have added. */
export function knownResources(
  server: AuthorizationServer,
  { resources = [], options }: Pick<DialectData, 'resources' | 'options'>,
): readonly string[] {
  const { issuer } = server;
  return [
    ...resources.map(template => String(fillTemplate(template, { issuer, options }))),
    ...configuredResources(server),
    ...addedResources(server),
  ];
}
