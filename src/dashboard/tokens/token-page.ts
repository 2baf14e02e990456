import { defined } from '../../base/defined.ts';
import type { IssuedEvent } from '../../base/events/event-log.ts';
import { isIssued } from '../../base/events/event-memory.ts';
import { duration, left } from '../../base/text/duration.ts';
import { type DecodedJwt, decodeJwt } from '../../base/text/jwt.ts';
import { createStatusOf, endOf, type TokenStatus, tokenTitle } from '../../record/flows/token-status.ts';
import type { TokenCheck } from '../claims/check.ts';
import { checksOf } from '../claims/checks.ts';
import { claimRows, headerRows } from '../claims/claim-rows.ts';
import { claimsOf, readableToken } from '../claims/claim-values.ts';
import { issuanceOf } from '../claims/issuance.ts';
import { registeredClient } from '../clients-and-users.ts';
import { momentOf } from '../moment.ts';
import { cameFrom, type TokenDesk } from './came-from.ts';
import { copiesOf } from './copy-as.ts';
import { quickCandidates } from './diff-candidates.ts';
import { previousOf } from './diff-page.ts';
import { endingsOf, expiredWords, revokedWords } from './endings.ts';
import { familyOf } from './family.ts';
import { toRow } from './token-list.ts';
import { tokenUses } from './token-use.ts';
import { useResult } from './use-result.ts';
import { usesOf } from './uses.ts';

/** The query of the page. */
interface Doing {
  readonly done: string;
  /** The `req_…` id of a use of the token. */
  readonly used: string;
  /** `json` shows the claims as JSON. */
  readonly as?: string;
}

/** The page of one code or token: claims, status, checks, origin, uses, family and actions. */
export async function tokenPage(event: IssuedEvent, desk: TokenDesk, doing?: Doing) {
  const now = desk.clock();
  const status = createStatusOf(desk.events, now)(event);
  const end = endOf(desk.events, event);
  const claims = claimsOf(event);
  const decoded = decodeJwt(readableToken(event));
  const client = registeredClient(desk, event.client_id);
  const subject = { event, claims, status, isEnded: end !== undefined, client, now };
  const row = toRow(event, status, now);
  return {
    ...row,
    title: tokenTitle(event),
    // the meaning of the status
    statusWords: statusWords(event, status, end !== undefined, desk),
    // `4 min 12 s left`
    leftWords: left(row.left, 2),
    lifetimeWords: duration(event.exp - event.iat),
    issued: momentOf(event.at, now),
    expires: momentOf(event.exp, now),
    from: cameFrom(event, desk),
    token: event.token,
    ...(decoded === undefined ? {} : { jwt: jwtView(decoded) }),
    // header and claims as JSON text; absent for the table
    ...(doing?.as === 'json' ? { json: jsonOf(claims, decoded) } : {}),
    // the claims of the token, or those an opaque token stands for; empty for codes and refresh tokens
    claims: claimRows(claims, now, issuanceOf(event, claims, desk)),
    checks: await checksFor(subject, decoded, desk),
    // links to a comparison
    compare: quickCandidates(
      event,
      issuedTogether(desk.events, event),
      previousOf(event, desk.events.latestIssued(Number.POSITIVE_INFINITY, event.id)),
    ),
    family: familyOf(desk.events, event, now),
    uses: usesOf(desk.events, event, now),
    copies: copiesOf(event, desk),
    tools: tokenUses(event, claims, desk),
    endings: endingsOf(subject, desk),
    // the result of an action on this page
    done: doneOf(doing, desk, end?.at),
  };
}

function issuedTogether(events: TokenDesk['events'], { authorizationId }: IssuedEvent): IssuedEvent[] {
  return events.ofAuthorization(authorizationId).filter(isIssued);
}

function jsonOf(claims: object, decoded: DecodedJwt | undefined) {
  const text = (value: object) => JSON.stringify(value, undefined, 2);
  return { claims: text(claims), ...(decoded === undefined ? {} : { header: text(decoded.header) }) };
}

function jwtView({ header, parts }: DecodedJwt) {
  return { header: headerRows(header), parts };
}

type SubjectOf = Parameters<typeof checksOf>[0];

/** Checks an opaque token by the claims it stands for. A code or refresh token has no claims and no checks. */
async function checksFor(subject: SubjectOf, decoded: DecodedJwt | undefined, desk: TokenDesk): Promise<TokenCheck[]> {
  if (decoded !== undefined) return checksOf({ ...subject, header: decoded.header }, desk);
  return Object.keys(subject.claims).length === 0 ? [] : checksOf(subject, desk);
}

function statusWords(event: IssuedEvent, status: TokenStatus, isEnded: boolean, desk: TokenDesk): string {
  if (status === 'revoked') return `Revoked. ${revokedWords(event, desk)}`;
  if (status === 'replaced') {
    return 'This refresh token was used and replaced by a new one. A second use revokes every token from this login.';
  }
  if (status === 'used') return 'This code was redeemed. A second use revokes the tokens issued for it.';
  if (status === 'valid') return '';
  return isEnded && desk.clock() < event.exp
    ? `Expired manually. ${expiredWords(event)}`
    : 'Every server that checks `exp` refuses this token.';
}

/** Seconds the toast with Undo stays. */
const undoSeconds = 10;

/** The result of an action, read from the address the browser was sent back to. */
function doneOf(doing: Doing | undefined, { events, clock }: TokenDesk, endedAt: number | undefined) {
  if (doing === undefined) return {};
  const undo = endedAt === undefined ? 0 : Math.ceil(endedAt + undoSeconds - clock());
  const result = doing.used === '' ? undefined : useResult(events, doing.used);
  return {
    // seconds during which the toast offers to undo "Expire now"; absent if the token was not just expired
    ...(doing.done === 'expired' && undo > 0 ? { undo } : {}),
    ...(doing.done === 'resumed' && endedAt === undefined ? { notice: 'The token is valid again.' } : {}),
    ...defined({ result }),
  };
}
