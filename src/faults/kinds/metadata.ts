import type { ParsedObject } from '../../oauth/json-parameter.ts';
import type { FaultKind } from '../fault.ts';

const metadata = { place: 'metadata', endpoints: ['discovery'], endpoint: 'discovery', parameters: {} } as const;
const keys = { place: 'keys', endpoints: ['jwks'], endpoint: 'jwks', parameters: {} } as const;

/** Of discovery and of the JWK Set. */
export const metadataFaults: readonly FaultKind[] = [
  {
    ...metadata,
    name: 'metadata_wrong_issuer',
    title: 'Another issuer in the metadata',
    about: 'The metadata names an issuer that is not the one that was asked (RFC 8414 §3.3 has clients refuse it).',
    effect: { does: 'bend', bend: (body, { issuer }) => ({ ...body, issuer: `${issuer}.other` }) },
  },
  {
    ...metadata,
    name: 'metadata_missing_member',
    title: 'A member of the metadata is missing',
    about: 'The metadata lacks a member.',
    parameters: { member: 'jwks_uri' },
    effect: { does: 'bend', bend: (body, { parameters }) => without(body, parameters.member) },
  },
  {
    ...keys,
    name: 'keys_empty',
    title: 'No keys',
    about: 'The JWK Set is empty.',
    effect: { does: 'bend', bend: body => ({ ...body, keys: [] }) },
  },
  {
    ...keys,
    name: 'keys_unknown',
    title: 'Keys under other names',
    about: 'Each key of the JWK Set has another `kid`, as if a cache were older than the keys.',
    effect: { does: 'bend', bend: renamed },
  },
  {
    ...keys,
    name: 'keys_rotated',
    title: 'The keys are replaced',
    about:
      'Before it answers, new keys take over and the old ones are published no longer, as after a leak: whoever keeps the JWK Set has to ask again, and older tokens are refused.',
    endpoints: [],
    endpoint: 'token',
    effect: { does: 'rotate' },
  },
];

export function without<T>(body: Readonly<Record<string, T>>, member: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== member));
}

function renamed(body: ParsedObject): ParsedObject {
  const keys = Array.isArray(body.keys) ? body.keys : [];
  return { ...body, keys: keys.map((key: ParsedObject) => ({ ...key, kid: `before-${String(key.kid)}` })) };
}
