import * as v from 'valibot';
import {
  type ClientFormats,
  encryptionAlgs,
  encryptionEncs,
  responseTypes,
  tokenEndpointAuthMethods,
} from '../../../protocol/clients/client.ts';
import { clientMembers } from '../../../protocol/clients/client-members.ts';
import { faultNames } from '../../../server/faults/fault-names.ts';
import { colorProblem, logoProblem, nameProblem } from '../branding.ts';
import { redirectPatternProblem } from '../redirect-pattern.ts';
import { entry, flag, jsonObject, list, oneOf, text, wholeSeconds } from '../schema.ts';
import { signingAlgs } from '../settings.ts';
import { originProblem, redirectUriProblem, webUriProblemOf } from '../uri.ts';
import { grantTypes } from './client-config.ts';

const age = 'a whole number of seconds, 0 or more';
const visible = v.pipe(
  v.string('text'),
  v.regex(/^[\x20-\x7e]+$/, 'visible ASCII characters only (RFC 6749 appendix A)'),
);
/** Text that `problemOf` finds nothing wrong with. */
export const checked = (problemOf: (text: string) => string | undefined) =>
  v.pipe(
    v.string('text'),
    v.rawCheck(({ dataset, addIssue }) => {
      const found = dataset.typed ? problemOf(dataset.value) : undefined;
      if (found !== undefined) addIssue({ message: found });
    }),
  );
export const jwkSet = v.looseObject({ keys: list(jsonObject, 'JWKs') }, 'a JWK Set: {"keys": [ … ]}');

const authMethod = oneOf(tokenEndpointAuthMethods);
const shownName = v.pipe(text, checked(nameProblem));
const redirectUri = checked(redirectUriProblem);
const webUri = checked(webUriProblemOf);

/** The checks of the formats. Algorithms are those of RFC 7518 §3.1, §4.1 and §5.1 that jose supports. */
const formats = {
  age: v.pipe(v.number(age), v.integer(age), v.minValue(0, age)),
  assertionAlg: oneOf([...signingAlgs, 'HS256', 'HS384', 'HS512']),
  audience: v.union([text, list(text, 'audiences')], 'an audience or a list of audiences'),
  authMethod,
  branding: entry({
    name: v.exactOptional(shownName),
    logo: v.exactOptional(checked(logoProblem)),
    color: v.exactOptional(checked(colorProblem)),
  }),
  authMethods: v.pipe(list(authMethod, 'methods'), v.minLength(1, 'at least one method')),
  distinguishedName: v.pipe(text, v.maxLength(1024, 'a name of at most 1024 characters')),
  encryptionAlg: oneOf(encryptionAlgs),
  encryptionEnc: oneOf(encryptionEncs),
  faults: list(oneOf([...faultNames]), 'names of faults'),
  flag,
  grantTypes: v.pipe(list(oneOf(grantTypes), 'grant types'), v.minLength(1, 'at least one grant type')),
  idTokenAlg: oneOf([...signingAlgs, 'HS256', 'HS384', 'HS512']),
  json: jsonObject,
  jwks: jwkSet,
  lifetime: wholeSeconds(1, 31_536_000),
  name: shownName,
  origins: list(checked(originProblem), 'origins'),
  patterns: list(checked(redirectPatternProblem), 'patterns'),
  redirectUris: list(redirectUri, 'URIs'),
  responseTypes: list(oneOf(responseTypes), 'response types'),
  scope: v.string('text: scopes separated by spaces'),
  signingAlg: oneOf(signingAlgs),
  text,
  texts: list(text, 'texts'),
  visible,
  webUri,
  webUris: list(webUri, 'URIs'),
} satisfies Record<keyof ClientFormats, v.GenericSchema>;

type Members = typeof clientMembers;
type SchemaOf<F extends Format> = F extends keyof typeof formats
  ? (typeof formats)[F]
  : F extends readonly string[]
    ? v.PicklistSchema<F, undefined>
    : never;
type ClientSchemas = {
  [Name in keyof Members]: Name extends 'client_id'
    ? SchemaOf<Members[Name]['format']>
    : v.ExactOptionalSchema<SchemaOf<Members[Name]['format']>, undefined>;
};

type Format = keyof typeof formats | readonly string[];

function schemaOf(format: Format): v.GenericSchema {
  return typeof format === 'string' ? formats[format] : oneOf(format);
}

const schemas = Object.entries<{ readonly format: Format }>(clientMembers).map(([name, { format }]) => [
  name,
  name === 'client_id' ? schemaOf(format) : v.exactOptional(schemaOf(format)),
]);

/**
 * Schema of an entry, built from the table of its members. The cast is needed because `fromEntries` loses the names.
 */
export const clientSchema = entry(Object.fromEntries(schemas) as ClientSchemas);

/** The members of an entry of `clients`, after the check of their shape. */
export type ClientMembers = v.InferOutput<typeof clientSchema>;
