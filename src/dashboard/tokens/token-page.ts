import type { SandboxEvent } from '../../base/events/event.ts';
import type { IssuedEvent } from '../../base/events/event-log.ts';
import { isIssued } from '../../base/events/event-memory.ts';
import { duration, left } from '../../base/text/duration.ts';
import { type DecodedJwt, decodeJwt } from '../../base/text/jwt.ts';
import { flowKindWords } from '../../record/flows/flow.ts';
import { createStatusOf, endOf, type TokenStatus, tokenTitle, tokenTypeOf } from '../../record/flows/token-status.ts';
import { checksOf, type ExaminedToken, type TokenCheck } from '../claims/checks.ts';
import { claimGroups } from '../claims/claim-brief.ts';
import { issuanceOf } from '../claims/claim-origin.ts';
import { claimRows, headerRows, withAudience } from '../claims/claim-rows.ts';
import { claimsOf, readableToken } from '../claims/claim-values.ts';
import { rawParts } from '../claims/raw-parts.ts';
import { registeredClient } from '../clients-and-users.ts';
import type { DashboardFacts } from '../facts.ts';
import { momentOf } from '../moment.ts';
import type { PageContext } from '../page.ts';
import { indented } from '../requests/body-view.ts';
import { statusBadge } from '../status-badge.ts';
import { copiesOf } from './copy-as.ts';
import { previousOf, quickCandidates } from './diff-page.ts';
import { familyOf } from './family.ts';
import { tokenAnswer } from './token-answer.ts';
import { toRow } from './token-list.ts';
import { tokenUses } from './token-use.ts';

interface Doing {
  readonly done: string;
  readonly used: string;
  readonly as?: string;
  /** Opens each claim. */
  readonly explain?: boolean;
}

/** The page of one code or token: claims, status, checks, origin, uses, family and actions. */
export async function tokenPage(event: IssuedEvent, context: TokenPageContext, doing: Doing = { done: '', used: '' }) {
  const now = context.clock();
  const status = createStatusOf(context.events, now)(event);
  const end = endOf(context.events, event);
  const claims = claimsOf(event);
  const decoded = decodeJwt(readableToken(event));
  const client = registeredClient(context, event.client_id);
  const subject = { event, claims, status, isEnded: end !== undefined, client, now };
  const row = toRow(event, status, now);
  const checks = await checksFor(subject, decoded, context);
  const rows = withAudience(claimRows(claims, now, issuanceOf(event, claims, context)), checks);
  return {
    ...row,
    title: tokenTitle(event),
    statusWords: statusWords(event, status, end !== undefined, context),
    leftWords: left(row.left, 2),
    lifetimeWords: duration(event.exp - event.iat),
    issued: momentOf(event.at, now),
    expires: momentOf(event.exp, now),
    from: cameFrom(event, context),
    token: event.token,
    answer: tokenAnswer(event, context),
    ...(decoded === undefined ? {} : { jwt: jwtView(decoded, event, checks) }),
    // header and claims as JSON text; absent for the table
    ...(doing.as === 'json' ? { json: jsonOf(claims, decoded) } : {}),
    // the claims of the token, or those an opaque token stands for; empty for codes and refresh tokens
    claims: rows,
    groups: claimGroups(rows),
    isExplained: doing.explain === true,
    checks,
    compare: quickCandidates(
      event,
      issuedTogether(context.events, event),
      previousOf(event, context.events.latestIssued(Number.POSITIVE_INFINITY, event.id)),
    ),
    family: familyOf(context.events, event, now),
    uses: usesOf(context, event, now),
    copies: copiesOf(event, context),
    tools: tokenUses(event, claims, context),
    endings: endingsOf(subject, context),
    done: doneOf(doing, context, end?.at),
  };
}

function issuedTogether(events: TokenPageContext['events'], { authorizationId }: IssuedEvent): IssuedEvent[] {
  return events.ofAuthorization(authorizationId).filter(isIssued);
}

function jsonOf(claims: object, decoded: DecodedJwt | undefined) {
  const text = (value: object) => JSON.stringify(value, undefined, 2);
  return { claims: text(claims), ...(decoded === undefined ? {} : { header: text(decoded.header) }) };
}

/** An encrypted token has no parts to show: those of the token inside are not what the client has. */
function jwtView(decoded: DecodedJwt, { token }: IssuedEvent, checks: readonly TokenCheck[]) {
  const isEncrypted = decoded.parts.join('.') !== token;
  return { header: headerRows(decoded.header), parts: isEncrypted ? [] : rawParts(decoded, checks), isEncrypted };
}

type SubjectOf = Parameters<typeof checksOf>[0];

/** Checks an opaque token by the claims it stands for. A code or refresh token has no claims and no checks. */
async function checksFor(
  subject: SubjectOf,
  decoded: DecodedJwt | undefined,
  context: TokenPageContext,
): Promise<TokenCheck[]> {
  if (decoded !== undefined) return checksOf({ ...subject, header: decoded.header }, context);
  return Object.keys(subject.claims).length === 0 ? [] : checksOf(subject, context);
}

function statusWords(event: IssuedEvent, status: TokenStatus, isEnded: boolean, context: TokenPageContext): string {
  if (status === 'revoked') return `Revoked. ${revokedWords(event, context)}`;
  if (status === 'replaced') {
    return 'This refresh token was used and replaced by a new one. A second use revokes every token from this sign-in.';
  }
  if (status === 'used') return 'This code was redeemed. A second use revokes the tokens issued for it.';
  if (status === 'valid') return '';
  return isEnded && context.clock() < event.exp
    ? `Expired manually. ${expiredWords(event)}`
    : 'Every server that checks exp refuses this token.';
}

/** Seconds the toast with Undo stays. */
const undoSeconds = 10;

function doneOf({ done, used }: Doing, context: TokenPageContext, endedAt: number | undefined) {
  const { clock } = context;
  const undo = endedAt === undefined ? 0 : Math.ceil(endedAt + undoSeconds - clock());
  return {
    // seconds during which the toast offers to undo "Expire now"; absent if the token was not just expired
    undo: done === 'expired' && undo > 0 ? undo : undefined,
    notice: done === 'resumed' && endedAt === undefined ? 'The token is valid again.' : undefined,
    result: used === '' ? undefined : useResult(context, used),
  };
}

/** The most characters of a body. The box on the page scrolls. */
const mostShown = 20_000;

function useResult(context: TokenPageContext, requestId: string) {
  const { events } = context;
  const happened = events.ofRequest(requestId);
  const request = happened.find(event => event.type === 'request.completed');
  if (request === undefined) return undefined;
  const refusal = happened.find(event => event.type === 'error.returned');
  const body = indented(request.exchange.responseBody?.text ?? '');
  return {
    requestId,
    words: `${request.method} ${request.path}`,
    badge: statusBadge(context, request),
    // as text; JSON is laid out
    body: body.slice(0, mostShown),
    cut: Math.max(0, body.length - mostShown),
    ...(refusal === undefined ? {} : { refusal: `${refusal.error}: ${refusal.description}` }),
    issued: happened.filter(isIssued).map(event => ({ tokenId: event.tokenId, type: tokenTypeOf(event) })),
  };
}

const mostUses = 8;

function usesOf(context: TokenPageContext, { tokenId }: IssuedEvent, now: number) {
  const all = context.events.ofToken(tokenId);
  const latest = all.slice(-mostUses).reverse();
  return { latest: latest.map(event => useOf(event, context, now)), more: all.length - latest.length };
}

function useOf(event: SandboxEvent, context: TokenPageContext, now: number) {
  const { requestId } = event;
  const request = context.events.ofRequest(requestId).find(each => each.type === 'request.completed');
  return {
    requestId,
    words: request === undefined ? requestId : `${request.method} ${request.path}`,
    // `accepted`, `refused: …`, `introspected by sensor: active`
    outcome: outcomeOf(event),
    ...(request === undefined ? {} : { badge: statusBadge(context, request) }),
    at: momentOf(event.at, now),
  };
}

function outcomeOf(event: SandboxEvent): string {
  if (event.type === 'token.used') return 'accepted';
  if (event.type === 'error.returned') return `refused: ${event.description}`;
  if (event.type !== 'token.introspected') return '';
  return `introspected by ${event.client_id}: ${event.state.replaceAll('_', ' ')}`;
}

/** The part of the dashboard that the page of a token uses. */
export type TokenPageContext = DashboardFacts & Pick<PageContext, 'flows'>;

function cameFrom(event: IssuedEvent, context: TokenPageContext) {
  const { events, flows } = context;
  const { requestId, tokenId } = event;
  const happened = events.ofRequest(requestId);
  const request = happened.find(each => each.type === 'request.completed');
  const siblings = happened.filter(isIssued).filter(each => each.tokenId !== tokenId);
  const flow = flows.ofToken(tokenId);
  return {
    requestId,
    ...(flow === undefined ? {} : { flow: flowFacts(flow, requestId) }),
    // `POST /oauth2/token`; empty if the request is not in the history any more
    request: request === undefined ? '' : `${request.method} ${request.path}`,
    siblings: siblings.map(each => ({ tokenId: each.tokenId, type: tokenTypeOf(each) })),
    ...grantOf(event),
    ...(event.type === 'code.issued' ? { redirectUri: event.redirect_uri } : {}),
  };
}

function flowFacts({ id, kind, steps }: NonNullable<ReturnType<PageContext['flows']['ofToken']>>, requestId: string) {
  const step = steps.findIndex(each => each.requestId === requestId) + 1;
  return { id, words: flowKindWords[kind], step, steps: steps.length };
}

function grantOf(event: IssuedEvent) {
  if (event.type === 'code.issued') return { grant: 'authorization_code' };
  return { grant: event.grant_type, began: event.began };
}

type Rules = Pick<DashboardFacts, 'api'>;

interface Endings {
  readonly expire?: string;
  readonly revoke?: string;
  readonly canResume: boolean;
}

/** The ways to end a token that apply to its type and status. */
export function endingsOf(
  { event, status, isEnded, now }: Pick<ExaminedToken, 'event' | 'status' | 'isEnded' | 'now'>,
  options: Rules,
): Endings {
  if (status !== 'valid') return { canResume: isEnded && status === 'expired' && now < event.exp };
  return {
    expire: expiredWords(event),
    ...(tokenTypeOf(event) === 'id' ? {} : { revoke: revokedWords(event, options) }),
    canResume: false,
  };
}

function expiredWords(event: IssuedEvent): string {
  const type = tokenTypeOf(event);
  if (type === 'code' || type === 'refresh') return 'This server treats it as expired and issues no tokens for it.';
  if (type === 'id') {
    return 'This server treats it as expired, as an id_token_hint and in a token exchange. The client has already read it and does not notice.';
  }
  if (isOpaque(event)) return 'This server treats it as expired and reports that at introspection.';
  return `This server and the sample API treat it as expired. An API that checks only the signature accepts it until ${end(event)}.`;
}

function revokedWords(event: IssuedEvent, { api }: Rules): string {
  const type = tokenTypeOf(event);
  const all = 'and every other token from the same sign-in';
  if (type === 'code') return 'It can no longer be exchanged for tokens.';
  if (type === 'refresh') {
    return `This server refuses it ${all}. An API that checks only signatures still accepts the access tokens until they expire.`;
  }
  if (isOpaque(event)) return `Introspection reports it ${all} as inactive.`;
  const late = `accepts it until ${end(event)}`;
  return api.tokenCheck === 'introspection'
    ? `Introspection, UserInfo and the sample API refuse it ${all}. An API that checks only the signature ${late}.`
    : `Introspection and UserInfo refuse it ${all}. The sample API checks only the signature (API_TOKEN_CHECK=local) and ${late}, as every such API does.`;
}

function isOpaque(event: IssuedEvent): boolean {
  return event.type === 'token.issued' && event.format === 'opaque';
}

function end({ exp, iat }: IssuedEvent): string {
  return momentOf(exp, iat).absolute.slice(11);
}
