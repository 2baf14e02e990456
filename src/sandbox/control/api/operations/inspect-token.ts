import * as v from 'valibot';
import { defined } from '../../../../base/defined.ts';
import type { EventOf } from '../../../../base/events/event.ts';
import type { IssuedEvent } from '../../../../base/events/event-log.ts';
import { type DecodedJwt, decodeJwt } from '../../../../base/text/jwt.ts';
import { capitalised } from '../../../../base/text/words.ts';
import { isDeeperThan } from '../../../../protocol/json-parameter.ts';
import {
  comparedWith,
  type ExpectedToken,
  judgeAudience,
  judgeIssuer,
  judgeTimes,
  receiversOf,
} from '../../../../protocol/judge-claims.ts';
import { type SignatureCheck, verifySignature } from '../../../../protocol/tokens/verify-signature.ts';
import { createStatusOf, type TokenStatus, tokenStatuses, tokenTypeOf } from '../../../../record/flows/token-status.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { described, optional } from '../../described.ts';
import { expectedToken } from '../../expected-token.ts';
import type { Controlled } from '../controlled.ts';
import { operation } from '../operation.ts';

const members = v.record(v.string(), v.unknown());
/** Characters. Headers of servers are shorter. */
const longest = 64_000;
/** Levels of nesting, as in a token that is accepted. */
const deepest = 30;
const mostRefusals = 20;

const inspected = v.object({
  format: v.picklist(['jwt', 'encrypted', 'opaque']),
  header: v.optional(members),
  claims: optional(members, 'The claims of a JWT, or those that an opaque token stands for'),
  signature: optional(
    v.looseObject({ ok: v.boolean(), kid: v.optional(v.string()), why: v.optional(v.string()) }),
    'Whether a key of this issuer signed it; absent for a token that is not a JWT',
  ),
  issued: optional(
    v.looseObject({ tokenId: v.string(), status: v.picklist(tokenStatuses) }),
    'The token in the history; absent if the history does not have it',
  ),
  faults: described(v.array(v.string()), 'Why this issuer does not accept it now, a sentence each'),
  refusals: described(v.array(v.looseObject({ requestId: v.string() })), 'Requests that were refused because of it'),
});

/** Any token, of this issuer or of another server. */
export const inspectToken = operation({
  name: 'inspectToken',
  method: 'POST',
  path: '/tokens/inspect',
  summary: 'Decode a token, verify its signature with the keys of this issuer, and tell why it is refused',
  body: v.strictObject({
    token: described(
      v.pipe(v.string('text'), v.minLength(1, 'a token'), v.maxLength(longest, `at most ${longest} characters`)),
      'A token as a client received it',
    ),
    expected: expectedToken,
  }),
  answers: { 200: { description: 'The contents of the token, and its faults', schema: inspected } },
  run: async ({ body: { token, expected = {} } }, controlled) =>
    jsonAnswer(200, await inspect(token.trim(), controlled, defined(expected))),
});

async function inspect(token: string, controlled: Controlled, expected: ExpectedToken): Promise<object> {
  const { server, events } = controlled;
  const now = server.clock();
  const issued = events.issuedAs(token);
  const status = issued === undefined ? undefined : createStatusOf(events, now)(issued);
  const jwt = readable(token, issued);
  const signature = jwt === undefined ? undefined : await verifySignature(server, jwt.parts.join('.'));
  const stored = issued?.type === 'token.issued' ? issued.claims : undefined;
  return {
    format: token.split('.').length === 5 ? 'encrypted' : jwt === undefined ? 'opaque' : 'jwt',
    ...defined({ header: jwt?.header, claims: jwt?.claims ?? stored, signature }),
    ...(issued === undefined ? {} : { issued: factsOf(issued, status) }),
    faults: [
      ...defectFaults(issued),
      ...signatureFaults(signature),
      ...(jwt === undefined ? [] : claimFaults(jwt, controlled, expected, issued)),
      ...historyFaults(status, jwt !== undefined),
    ],
    refusals: issued === undefined ? [] : refusalsOf(events.ofToken(issued.tokenId)),
  };
}

/** An encrypted token of the history is shown as it was before its encryption. */
function readable(token: string, issued: IssuedEvent | undefined): DecodedJwt | undefined {
  const signed = issued?.type === 'token.issued' ? issued.signed : undefined;
  const jwt = decodeJwt(signed ?? token);
  const isShown = jwt !== undefined && !isDeeperThan(jwt.claims, deepest) && !isDeeperThan(jwt.header, deepest);
  return isShown ? jwt : undefined;
}

function factsOf(issued: IssuedEvent, status: TokenStatus | undefined): object {
  const { tokenId, client_id, sub, scope, authorizationId, iat, exp } = issued;
  const facts = { tokenId, tokenType: tokenTypeOf(issued), status, client_id, authorizationId, iat, exp };
  return { ...facts, ...defined({ sub, scope }) };
}

/** A defect is the cause of all that follows. */
function defectFaults(issued: IssuedEvent | undefined): string[] {
  if (issued?.type !== 'token.issued' || issued.defect === undefined) return [];
  const made = issued.minted ? 'was minted with' : 'has by a fault';
  return [`It ${made} the defect ${issued.defect} on purpose, so every API must refuse it.`];
}

function signatureFaults(signature: SignatureCheck | undefined): string[] {
  if (signature === undefined) return [];
  if (!signature.ok) return [`No key of this issuer signed it: ${signature.why}.`];
  return signature.key === 'withdrawn' ? [`The key ${signature.kid} is no longer in the JWK Set.`] : [];
}

/** Each difference between the token and what its receiver expects, a sentence each. */
function claimFaults(
  { header, claims }: DecodedJwt,
  { server, api }: Controlled,
  expected: ExpectedToken,
  issued: IssuedEvent | undefined,
): string[] {
  const facts = issued && { tokenType: tokenTypeOf(issued), client_id: issued.client_id };
  const receivers = receiversOf({ header, claims, issued: facts }, api, server.clients.values());
  const unmet = comparedWith(expected, { header, claims }).filter(({ isMet }) => !isMet);
  const judged = [
    ...(expected.issuer === undefined ? [judgeIssuer(claims.iss, server.iss)] : []),
    ...(expected.audience === undefined && receivers !== undefined ? [judgeAudience(claims, receivers)] : []),
    ...judgeTimes(claims, server.clock()),
  ].filter(({ level }) => level !== 'pass');
  return [...unmet, ...judged].map(({ text }) => `${capitalised(text)}.`);
}

function historyFaults(status: TokenStatus | undefined, isJwt: boolean): string[] {
  if (status === undefined) return isJwt ? [] : ['The history has no such token.'];
  if (status === 'revoked') return ['It was revoked. An API that checks only the signature still accepts it.'];
  if (status === 'replaced') return ['It is a refresh token that was rotated: a newer one replaced it.'];
  if (status === 'used') return ['It is a code that was redeemed already.'];
  return status === 'expired' && !isJwt ? ['It has expired.'] : [];
}

function refusalsOf(uses: readonly ({ readonly type: string } & object)[]): object[] {
  const refused = uses.filter((event): event is EventOf<'error.returned'> => event.type === 'error.returned');
  return refused.slice(-mostRefusals).map(({ requestId, at, endpoint, status, error, reason, description }) => {
    return { requestId, at, endpoint, status, error, reason, description };
  });
}
