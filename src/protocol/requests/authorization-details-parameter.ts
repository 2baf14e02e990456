import { expectedName } from '../../base/text/nearest.ts';
import { isRecord } from '../../base/text/record.ts';
import type { AuthorizationDetail, AuthorizationDetailsType, DetailField } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { OAuthError, type Reason } from '../errors.ts';
import { isSameJson, type ParsedObject, readJsonParameter } from '../json-parameter.ts';
import { shorten } from '../parameters.ts';

/** Fields that every type may have (RFC 9396 §2.2). */
const commonFields: Readonly<Record<string, DetailField>> = {
  locations: { type: 'array', required: false },
  actions: { type: 'array', required: false },
  datatypes: { type: 'array', required: false },
  identifier: { type: 'string', required: false },
  privileges: { type: 'array', required: false },
};

/** Most elements; no real request has more. */
const mostDetails = 20;

/**
 * The `authorization_details` parameter (RFC 9396 §2, §5): a list of objects, each with a type that is configured and
 * allowed to the client, and only with the fields of that type.
 * @throws invalid_authorization_details
 */
export function parseAuthorizationDetails(
  server: AuthorizationServer,
  client: RegisteredClient,
  text: string,
): readonly AuthorizationDetail[] {
  const expected = '[{"type": "…"}]';
  const value = readJsonParameter(text, problem =>
    invalid('authorization_details_malformed', `it is not JSON: ${problem}`, { sent: shorten(text), expected }),
  );
  if (!Array.isArray(value) || value.length === 0 || value.length > mostDetails) {
    const what = `it must be a JSON array of 1 to ${mostDetails} objects`;
    throw invalid('authorization_details_malformed', what, { sent: shorten(text), expected });
  }
  return value.map((detail, index) => checkDetail(server, client, detail, `[${index}]`));
}

function checkDetail(
  server: AuthorizationServer,
  client: RegisteredClient,
  detail: unknown,
  at: string,
): AuthorizationDetail {
  if (!isTyped(detail)) {
    const sent = shorten(JSON.stringify(detail));
    throw invalid('authorization_details_malformed', `${at} must be an object with a type`, {
      sent,
      expected: '{"type": "…"}',
    });
  }
  const type = knownType(server, client, detail.type, at);
  const fields = { ...commonFields, ...type.fields };
  for (const [name, value] of Object.entries(detail)) {
    if (name !== 'type') checkField(at, type, fields, name, value);
  }
  for (const [name, { required }] of Object.entries(fields)) {
    if (!required || Object.hasOwn(detail, name)) continue;
    throw invalid('authorization_details_malformed', `${at}.${name} is missing`, {
      sent: Object.keys(detail).join(', '),
      expected: `${name}, which the type ${type.name} requires`,
    });
  }
  return detail;
}

function isTyped(value: unknown): value is AuthorizationDetail {
  return isRecord(value) && typeof value.type === 'string';
}

function knownType(
  { authorizationDetailsTypes }: AuthorizationServer,
  client: RegisteredClient,
  name: string,
  at: string,
): AuthorizationDetailsType {
  const type = authorizationDetailsTypes.get(name);
  const sent = shorten(name);
  if (type === undefined) {
    const expected = [...authorizationDetailsTypes.keys()].join(', ') || 'no type: none is configured';
    throw invalid('authorization_details_type_unknown', `${at}.type is not a configured type`, { sent, expected });
  }
  const allowed = client.authorization_details_types;
  if (allowed === undefined || allowed.includes(name)) return type;
  const expected = allowed.join(', ') || 'none';
  throw invalid('authorization_details_type_not_registered', `${at}.type is not registered for this client`, {
    sent,
    expected,
  });
}

function checkField(
  at: string,
  type: AuthorizationDetailsType,
  fields: Readonly<Record<string, DetailField>>,
  name: string,
  value: unknown,
): void {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined) {
    const expected = expectedName(name, Object.keys(fields));
    throw invalid('authorization_details_malformed', `${at} has a field that the type ${type.name} does not define`, {
      sent: shorten(name),
      expected,
    });
  }
  const isListOfTexts = Array.isArray(value) && value.every(each => typeof each === 'string');
  const isCommonList = commonFields[name]?.type === 'array' && !Object.hasOwn(type.fields, name);
  if (typeOf(value) === field.type && (!isCommonList || isListOfTexts)) return;
  const expected = isCommonList ? 'a list of strings' : `the type ${field.type}`;
  throw invalid('authorization_details_malformed', `${at}.${shorten(name, 60)} has the wrong type`, {
    sent: shorten(JSON.stringify(value)),
    expected,
  });
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

/**
 * RFC 9396 §6: a token request may ask for some of the granted objects. In an object it may leave out elements of lists,
 * and nothing else.
 * @throws invalid_authorization_details
 */
export function narrowAuthorizationDetails(
  asked: readonly AuthorizationDetail[],
  granted: readonly AuthorizationDetail[] = [],
): readonly AuthorizationDetail[] {
  const index = asked.findIndex(detail => !granted.some(each => isWithin(detail, each)));
  if (index === -1) return asked;
  throw invalid('authorization_details_widened', `[${index}] asks for more than was granted`, {
    sent: shorten(JSON.stringify(asked[index])),
    expected: granted.length === 0 ? 'no authorization_details: none were granted' : shorten(JSON.stringify(granted)),
  });
}

/** A list that is left out would mean all of it, so every list must be there. */
function isWithin(asked: ParsedObject, granted: ParsedObject): boolean {
  const names = Object.keys(granted);
  return (
    names.length === Object.keys(asked).length &&
    names.every(name => Object.hasOwn(asked, name) && isFieldWithin(asked[name], granted[name]))
  );
}

function isFieldWithin(asked: unknown, granted: unknown): boolean {
  if (!Array.isArray(asked) || !Array.isArray(granted) || asked.length === 0) return isSameJson(asked, granted);
  return asked.every(each => granted.some(other => isSameJson(each, other)));
}

function invalid(reason: Reason, what: string, details: { sent: string; expected: string }): OAuthError {
  return new OAuthError('invalid_authorization_details', reason, `authorization_details: ${what}`, details);
}
