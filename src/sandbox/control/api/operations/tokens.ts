import * as v from 'valibot';
import { defined } from '../../../../base/defined.ts';
import type { EventOf } from '../../../../base/events/event.ts';
import type { IssuedEvent } from '../../../../base/events/event-log.ts';
import { type DecodedJwt, decodeJwt } from '../../../../base/text/jwt.ts';
import { capitalised } from '../../../../base/text/words.ts';
import { firstMatching, inTurns } from '../../../../base/turns.ts';
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
import { defectNames } from '../../../../server/faults/fault-names.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { contextOf } from '../../../../server/http/request-context.ts';
import type { Control } from '../../create-control.ts';
import { described, optional, text } from '../../described.ts';
import { eventFilter } from '../../events/event-filter.ts';
import { decodedToken } from '../../events/event-search.ts';
import { expectedToken } from '../../expected-token.ts';
import { mintToken } from '../../mint.ts';
import { type CheckedMint, mintTypes } from '../../mint-request.ts';
import { mintRequest } from '../../mint-schema.ts';
import { unknownEntry } from '../../refusal.ts';
import type { Controlled } from '../controlled.ts';
import { type Operation, operation } from '../operation.ts';
import { wholeNumber } from '../query-values.ts';

const object = v.record(v.string(), v.unknown());

const minted = v.object({
  token: text('The token as a client would receive it'),
  type: v.picklist(mintTypes),
  tokenId: text('The id of the token in events and in the dashboard'),
  expires_in: described(v.number(), 'Seconds until it expires; negative if it has expired'),
  header: optional(object, 'The JOSE header, for a JWT'),
  claims: optional(object, 'The claims; absent for a refresh token'),
  defect: v.optional(v.picklist(defectNames)),
});

/** Tokens that nobody asks for by a grant. */
export const mintOperations = [
  operation({
    name: 'mintToken',
    method: 'POST',
    path: '/tokens',
    summary: 'Mint a token for any client, user, scope and audience, valid or with a defect',
    body: mintRequest,
    answers: {
      201: { description: 'The token', schema: minted },
      400: { description: 'The members that are not valid; no token was issued' },
    },
    async run({ body, req }, { server }) {
      const { emit } = contextOf(req);
      // the schema has let nothing else through
      return jsonAnswer(201, await mintToken({ server, emit }, body as CheckedMint));
    },
  }),
];

const token = v.looseObject({
  id: described(v.number(), 'Event id: use it as `before` for the next page'),
  tokenId: v.string(),
  tokenType: v.picklist(['code', 'access', 'refresh', 'id']),
  status: v.picklist(tokenStatuses),
  token: text('The token as the client received it'),
  client_id: v.string(),
  sub: v.optional(v.string()),
  scope: v.optional(v.string()),
  authorizationId: text('Id of the authorization that the token belongs to'),
  iat: v.number(),
  exp: v.number(),
});
const unknown = { description: 'No such token is in the history' };

/** Codes and tokens that were issued, and what can be done to them. */
export const tokenOperations: readonly Operation[] = [
  operation({
    name: 'listTokens',
    method: 'GET',
    path: '/tokens',
    summary: 'List issued codes and tokens, newest first',
    query: v.strictObject({
      q: optional(v.string(), 'A search as for /events: `client:frontend user:alice claim.role:admin`'),
      before: v.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER, 'Only tokens before this event id, for paging')),
      limit: v.optional(wholeNumber(1, 1000, 'Most entries to return. Default: 100')),
    }),
    answers: {
      200: { description: 'Codes and tokens', schema: v.object({ tokens: v.array(token) }) },
      400: { description: 'The query has an error, or a value is out of range' },
    },
    async run({ query: { q, before, limit = 100 } }, controlled) {
      const isAsked = eventFilter({ q }, controlled.server.clock());
      const all = controlled.events.latestIssued(Number.POSITIVE_INFINITY, before);
      const factsOf = createFacts(controlled);
      const found = await inTurns(firstMatching(all, isAsked, limit));
      return jsonAnswer(200, { tokens: found.map(factsOf) });
    },
  }),
  operation({
    name: 'getToken',
    method: 'GET',
    path: '/tokens/{token_id}',
    summary: 'Read a token and its claims',
    answers: { 200: { description: 'The token', schema: token }, 404: unknown },
    async run({ path: { token_id: id = '' } }, controlled) {
      const issued = issuedAs(id, controlled);
      const claims = decodedToken(issued);
      return jsonAnswer(200, { ...createFacts(controlled)(issued), ...defined({ claims }) });
    },
  }),
  ending('expire', 'Treat a token as expired from now on, at the issuer and the sample backend', 'expireToken'),
  ending('resume', 'Undo expire: the token is valid until its own expiry', 'resumeToken'),
  ending('revoke', 'Revoke a token and all tokens of the same authorization (RFC 7009)', 'revokeToken'),
];

function ending(
  name: 'expire' | 'resume' | 'revoke',
  summary: string,
  does: 'expireToken' | 'resumeToken' | 'revokeToken',
): Operation {
  return operation({
    name: does,
    method: 'POST',
    path: `/tokens/{token_id}/${name}`,
    changes: true,
    summary,
    answers: { 200: { description: 'The token after the change', schema: token }, 404: unknown },
    async run({ path: { token_id: id = '' } }, controlled) {
      const doing: Pick<Control, typeof does> = controlled.control;
      const issued = issuedAs(id, controlled);
      await doing[does](id);
      return jsonAnswer(200, createFacts(controlled)(issued));
    },
  });
}

/** @throws invalid_request with 404 */
function issuedAs(id: string, { events }: Controlled): IssuedEvent {
  const issued = events.issued(id);
  if (issued !== undefined) return issued;
  throw unknownEntry(
    'token',
    id,
    events.latestIssued(200).map(({ tokenId }) => tokenId),
  );
}

function createFacts({ events, server }: Controlled): (issued: IssuedEvent) => object {
  const statusOf = createStatusOf(events, server.clock());
  return issued => {
    const { type: _, at: __, claims: ___, ...facts } = { claims: undefined, ...issued };
    return { ...facts, tokenType: tokenTypeOf(issued), status: statusOf(issued) };
  };
}

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
      ...defectProblems(issued),
      ...signatureProblems(signature),
      ...(jwt === undefined ? [] : claimProblems(jwt, controlled, expected, issued)),
      ...historyProblems(status, jwt !== undefined),
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
function defectProblems(issued: IssuedEvent | undefined): string[] {
  if (issued?.type !== 'token.issued' || issued.defect === undefined) return [];
  const made = issued.minted ? 'was minted with' : 'has by a fault';
  return [`It ${made} the defect ${issued.defect} on purpose, so every API must refuse it.`];
}

function signatureProblems(signature: SignatureCheck | undefined): string[] {
  if (signature === undefined) return [];
  if (!signature.ok) return [`No key of this issuer signed it: ${signature.why}.`];
  return signature.key === 'withdrawn' ? [`The key ${signature.kid} is no longer in the JWK Set.`] : [];
}

/** Each difference between the token and what its receiver expects, a sentence each. */
function claimProblems(
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

function historyProblems(status: TokenStatus | undefined, isJwt: boolean): string[] {
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
