import type { Dictionary, ParameterMeaning } from './parameters/entry.ts';
import { ownParameters } from './parameters/own.ts';
import { clientInformation, clientMetadata } from './parameters/registration.ts';
import { requestHeaders, requestParameters } from './parameters/requests.ts';
import { responseHeaders, responseParameters } from './parameters/responses.ts';

export type { ParameterMeaning } from './parameters/entry.ts';

/** The part of an exchange that contains a parameter. */
export type ParameterPlace = 'request' | 'response' | 'request header' | 'response header';

/** All dictionaries, for tests. */
export const dictionaries = {
  request: requestParameters,
  response: responseParameters,
  own: ownParameters,
  metadata: clientMetadata,
  information: clientInformation,
  'request header': requestHeaders,
  'response header': responseHeaders,
} as const satisfies Readonly<Record<string, Dictionary>>;

const registrations: ReadonlySet<string> = new Set(['registration', 'client_configuration']);
/** Endpoints whose responses contain claims of any name. */
const claimBearers: ReadonlySet<string> = new Set(['userinfo', 'introspect']);
const documents: ReadonlySet<string> = new Set(['discovery', 'jwks', 'resource_metadata']);

/** The meaning of a parameter at an endpoint; undefined for an unknown parameter. */
export function parameterMeaning(name: string, place: ParameterPlace, endpoint: string): ParameterMeaning | undefined {
  if (place === 'request header' || place === 'response header')
    return lookUp([dictionaries[place]], endpoint, name.toLowerCase());
  if (registrations.has(endpoint)) return registrationMeaning(name, place);
  if (place === 'request')
    return lookUp([ownParameters, requestParameters], endpoint, name) ?? consentBox(name, endpoint);
  if (documents.has(endpoint)) return responseParameters.metadata;
  const known = lookUp([responseParameters], endpoint, name);
  return known ?? (claimBearers.has(endpoint) ? lookUp([responseParameters], endpoint, 'claim') : undefined);
}

function lookUp(from: readonly Dictionary[], endpoint: string, name: string): ParameterMeaning | undefined {
  for (const key of [`${endpoint} ${name}`, name]) {
    for (const dictionary of from) if (Object.hasOwn(dictionary, key)) return dictionary[key];
  }
  return undefined;
}

/** Looks up client metadata without its language tag: `client_name#de` (RFC 7591 §2.2). */
function registrationMeaning(name: string, place: ParameterPlace): ParameterMeaning | undefined {
  const [member = ''] = name.split('#', 1);
  const from = place === 'response' ? [clientInformation, clientMetadata, responseParameters] : [clientMetadata];
  return lookUp(from, 'registration', member);
}

const boxes: Readonly<Record<string, string>> = { scope: 'scope', claim: 'claim', detail: 'authorization detail' };

/** A check box of the consent page: `scope:email`. */
function consentBox(name: string, endpoint: string): ParameterMeaning | undefined {
  const [kind = ''] = name.split(':', 1);
  const what = endpoint === 'consent' && name.includes(':') ? boxes[kind] : undefined;
  return what === undefined ? undefined : { words: `The user ticked this ${what}.`, reference: '' };
}
