import { scopeToken } from '../../../protocol/scope.ts';
import { standardScopes } from '../../../sandbox/config/claims.ts';
import type { ScopeEntry } from '../../../sandbox/config/sandbox-config.ts';
import {
  at,
  type ExportPart,
  flagIn,
  leftOut,
  recordsIn,
  tell,
  tellLost,
  textIn,
  type UseTable,
  valueIn,
} from '../members.ts';
import { hidden } from './clients.ts';
import type { Drafts, ScopeDraft } from './draft.ts';
import { readMappers } from './mapper.ts';

const scopeUses: UseTable = {
  id: 'none',
  name: 'read',
  description: 'read',
  protocol: 'read',
  attributes: 'read',
  protocolMappers: 'read',
};

const scopeAttributes: UseTable = {
  'include.in.token.scope': 'read',
  'display.on.consent.screen': 'none',
  'consent.screen.text': 'read',
  'gui.order': 'none',
  'is.dynamic.scope': { lost: 'parameters of scopes are not read' },
  'dynamic.scope.regexp': { lost: 'parameters of scopes are not read' },
};

/** Reads `clientScopes` of an export. */
export function readScopes(found: ExportPart): ReadonlyMap<string, ScopeDraft> {
  const scopes = recordsIn(found).flatMap(each => readScope(each) ?? []);
  return new Map(scopes.map(scope => [scope.name, scope]));
}

function readScope(found: ExportPart): ScopeDraft | undefined {
  const name = textIn(at(found, 'name'));
  const protocol = textIn(at(found, 'protocol')) ?? 'openid-connect';
  const isOfEachRealm = ['role_list', 'saml_organization'].includes(name ?? '');
  const fault =
    name === undefined
      ? 'it has no name'
      : protocol !== 'openid-connect' && !isOfEachRealm
        ? `the sandbox does not speak ${protocol.slice(0, 40)}`
        : undefined;
  if (fault !== undefined) leftOut(found, fault);
  if (isOfEachRealm) valueIn(found);
  if (name === undefined || protocol !== 'openid-connect') return undefined;
  const attributes = at(found, 'attributes');
  tellLost(found, scopeUses, 'a client scope');
  tellLost(attributes, scopeAttributes, 'the attributes of a client scope');
  if (!scopeToken.test(name)) tell(found, 'left out of `scope`, because the name is not a scope (RFC 6749 §3.3)');
  const isVisible = scopeToken.test(name) && (flagIn(at(attributes, 'include.in.token.scope')) ?? !hidden.has(name));
  const mappers = readMappers(at(found, 'protocolMappers'));
  const entry = standardScopes[name] === undefined ? describe(found, attributes) : {};
  return { found, name, entry, isVisible, mappers, claims: new Set(), access: {} };
}

/** A text with a placeholder is a key of the translations of Keycloak. */
function describe(found: ExportPart, attributes: ExportPart): ScopeEntry {
  const own = [at(attributes, 'consent.screen.text'), at(found, 'description')]
    .map(valueIn)
    .find(value => typeof value === 'string' && value.trim() !== '' && !value.includes('${'));
  return typeof own === 'string' ? { description: own } : {};
}

/** The scopes that the new file has to define: those with words or claims that are not the usual ones. */
export function scopeEntries({ scopes, openid, clients }: Drafts): Readonly<Record<string, ScopeEntry>> {
  const asked = new Set(clients.flatMap(each => [...each.defaultScopes, ...each.optionalScopes]));
  const own = [...scopes.values()].filter(({ name }) => scopeToken.test(name) && asked.has(name));
  const entries = own.map(({ name, entry, claims, access }): [string, ScopeEntry] => [
    name,
    {
      ...entry,
      ...claimsOf(name, claims),
      ...(Object.keys(access).length > 0 && { access_token_claims: access as never }),
    },
  ]);
  const all: readonly (readonly [string, ScopeEntry])[] = [['openid', claimsOf('openid', openid)], ...entries];
  return Object.fromEntries(all.filter(([, entry]) => Object.keys(entry).length > 0));
}

/** An entry replaces the claims of a standard scope, so that it has those as well. */
function claimsOf(name: string, added: ReadonlySet<string>): Pick<ScopeEntry, 'claims'> {
  return added.size === 0 ? {} : { claims: [...(standardScopes[name]?.claims ?? []), ...added] };
}
