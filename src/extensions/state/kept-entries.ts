import * as v from 'valibot';

const text = v.string();
const texts = v.array(text);
const number = v.number();
const record = v.record(text, v.unknown());

const authorization = v.looseObject({
  id: text,
  grant_type: text,
  client_id: text,
  scopes: texts,
  resources: texts,
});
const refreshToken = v.looseObject({ authorization, tokenId: text, iat: number, exp: number });
const inSession = v.looseObject({ id: text, client_id: text });
const isOn = v.literal(true);

/**
 * The kinds of entries of the store that outlive a restart, with the form of their values. What lives for minutes is left out:
 * codes, pushed requests, devices, used assertions, counts of guesses.
 */
export const keptEntries: ReadonlyMap<string, v.GenericSchema> = new Map<string, v.GenericSchema>([
  ['session', v.looseObject({ id: text, sid: text, sub: text, auth_time: number, acr: text, amr: texts })],
  ['session_by_sid', text],
  ['session_client', inSession],
  ['session_authorization', inSession],
  ['refresh_token', refreshToken],
  ['issued_refresh_token', refreshToken],
  ['authorization', authorization],
  ['revoked_authorization', isOn],
  ['ended_token', isOn],
  ['access_token', v.looseObject({ jti: text, exp: number, iat: number })],
  ['kept_claims', record],
  ['client_registration', v.looseObject({ tokenHash: text, issuedAt: number, localized: record })],
  ['deleted_client', isOn],
  ['consent', v.looseObject({ scopes: texts, claims: texts, details: v.array(record) })],
  ['earlier_grant', v.looseObject({ scopes: texts })],
  ['page_login', v.looseObject({ exp: number })],
]);
