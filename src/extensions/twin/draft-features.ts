import { defaultFeatures, type Feature } from '../../protocol/feature.ts';
import type { SampleMembers } from './samples.ts';
import type { Recognised } from './vendors.ts';

/** The member of the metadata by which a server says that it has a feature. */
const members: Partial<Readonly<Record<Feature, string>>> = {
  introspection: 'introspection_endpoint',
  revocation: 'revocation_endpoint',
  device: 'device_authorization_endpoint',
  ciba: 'backchannel_authentication_endpoint',
  par: 'pushed_authorization_request_endpoint',
  jar: 'request_parameter_supported',
  jarm: 'authorization_signing_alg_values_supported',
  rar: 'authorization_details_types_supported',
  registration: 'registration_endpoint',
  'client-id-metadata': 'client_id_metadata_document_supported',
  dpop: 'dpop_signing_alg_values_supported',
  'protected-resource-metadata': 'protected_resources',
  'backchannel-logout': 'backchannel_logout_supported',
  'frontchannel-logout': 'frontchannel_logout_supported',
  'session-management': 'check_session_iframe',
};

const grants: Partial<Readonly<Record<Feature, string>>> = {
  'token-exchange': 'urn:ietf:params:oauth:grant-type:token-exchange',
  'jwt-bearer': 'urn:ietf:params:oauth:grant-type:jwt-bearer',
};

/** Switches for the features that a server does not advertise. */
export function featuresOff(
  metadata: SampleMembers,
  { provider }: Partial<Recognised>,
): Partial<Record<Feature, false>> {
  const { features = [], without = [] } = provider ?? {};
  const needed = [...features, ...without]; // the preset switches them by itself
  const off = defaultFeatures.filter(feature => !needed.includes(feature) && isAbsent(feature, metadata));
  return Object.fromEntries(off.map(feature => [feature, false]));
}

function isAbsent(feature: Feature, metadata: SampleMembers): boolean {
  const member = members[feature];
  if (member !== undefined) return [undefined, false, null].includes(metadata[member] as undefined);
  const grant = grants[feature];
  const listed = metadata.grant_types_supported;
  return grant !== undefined && Array.isArray(listed) && !listed.includes(grant);
}

/** The scopes that a server offers. */
export function scopesOf({ scopes_supported: listed }: SampleMembers): readonly string[] {
  const texts = Array.isArray(listed) ? listed.filter(each => typeof each === 'string') : [];
  return [...new Set(texts)].slice(0, 300);
}
