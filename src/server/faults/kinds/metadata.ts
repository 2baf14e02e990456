import type { ParsedObject } from '../../../protocol/json-parameter.ts';
import type { FaultKind } from '../fault.ts';

const metadata = { place: 'metadata', endpoints: ['discovery'], endpoint: 'discovery', parameters: {} } as const;
const keys = { place: 'keys', endpoints: ['jwks'], endpoint: 'jwks', parameters: {} } as const;

/** Faults of the metadata and of the JWK Set. */
export const metadataFaults: readonly FaultKind[] = [
  {
    ...metadata,
    name: 'metadata_wrong_issuer',
    title: 'Wrong issuer in the metadata',
    about: 'The metadata names a different issuer. Clients must refuse it (RFC 8414 §3.3).',
    effect: { does: 'bend', bend: (body, { issuer }) => ({ ...body, issuer: `${issuer}.other` }) },
  },
  {
    ...metadata,
    name: 'metadata_missing_member',
    title: 'Missing metadata member',
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
    title: 'Different kids',
    about: 'Each key in the JWK Set has a different `kid`, as in an outdated cache.',
    effect: { does: 'bend', bend: renamed },
  },
  {
    ...keys,
    name: 'keys_rotated',
    title: 'Replaced keys',
    about:
      'Before the response, new keys replace the old ones, which are no longer published, as after a leak. A cached JWK Set becomes outdated, and older tokens are refused.',
    endpoints: [],
    endpoint: 'token',
    effect: { does: 'rotate' },
  },
];

/** Returns a copy with members added or replaced; `null` removes one. */
export function changed<T>(
  body: Readonly<Record<string, T>>,
  change: Readonly<Record<string, T | null>>,
): Readonly<Record<string, T>> {
  const removed = Object.entries({ ...body, ...change }).filter(([name, value]) => value !== null || !(name in change));
  return Object.fromEntries(removed) as Readonly<Record<string, T>>; // `null` is left where nothing changed it
}

/** Returns a copy without one member. */
export function without<T>(body: Readonly<Record<string, T>>, member: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== member));
}

function renamed(body: ParsedObject): ParsedObject {
  const keys = Array.isArray(body.keys) ? body.keys : [];
  return { ...body, keys: keys.map((key: ParsedObject) => ({ ...key, kid: `before-${String(key.kid)}` })) };
}
