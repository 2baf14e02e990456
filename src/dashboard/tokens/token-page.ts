import { defined } from '../../defined.ts';
import type { IssuedEvent } from '../../events/event-log.ts';
import { createStatusOf, endOf, type TokenStatus, tokenTypeOf } from '../../flows/token-status.ts';
import { type DecodedJwt, decodeJwt } from '../../text/jwt.ts';
import { duration, left } from '../duration.ts';
import { momentOf } from '../moment.ts';
import { registeredClient } from '../registered-client.ts';
import { claimsOf } from '../search/claim-values.ts';
import { cameFrom, type TokenDesk } from './came-from.ts';
import type { TokenCheck } from './check.ts';
import { checksOf } from './checks.ts';
import { claimRows, headerRows } from './claim-rows.ts';
import { copiesOf } from './copy-as.ts';
import { endingsOf, expiredWords, revokedWords } from './endings.ts';
import { familyOf } from './family.ts';
import { issuanceOf } from './issuance.ts';
import { readableToken } from './jwt.ts';
import { toRow } from './token-list.ts';
import { tokenUses } from './token-use.ts';
import { type UseResult, useResult } from './use-result.ts';
import { usesOf } from './uses.ts';

/** Told by the address somebody is sent back to. */
export interface Done {
  /** Seconds that are left to take "Expire now" back without looking for it; absent where that was not just done. */
  readonly undo?: number;
  readonly notice?: string;
  readonly result?: UseResult;
}

/** What the query of the page says was done. */
export interface Doing {
  readonly done: string;
  /** `req_…` of a use. */
  readonly used: string;
}

const typeNames = {
  code: 'Authorization code',
  access: 'Access token',
  refresh: 'Refresh token',
  id: 'ID Token',
} as const;

export function titleOf(event: IssuedEvent): string {
  return `${typeNames[tokenTypeOf(event)]} for ${event.sub ?? `client ${event.client_id}`}`;
}

/** The page of one code or token: what is it, is it good, what is in it, where does it come from, what can be done with it. */
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
    title: titleOf(event),
    // what the status means
    statusWords: statusWords(event, status, end !== undefined, desk),
    // `4 min 12 s left`
    leftWords: left(row.left, 2),
    lifetimeWords: duration(event.exp - event.iat),
    issued: momentOf(event.at, now),
    expires: momentOf(event.exp, now),
    from: cameFrom(event, desk),
    token: event.token,
    ...(decoded === undefined ? {} : { jwt: jwtView(decoded) }),
    // what it says, or stands for; none for codes and refresh tokens
    claims: claimRows(claims, now, issuanceOf(event, claims, desk)),
    checks: await checksFor(subject, decoded, desk),
    family: familyOf(desk.events, event, now),
    uses: usesOf(desk.events, event, now),
    copies: copiesOf(event, desk),
    tools: tokenUses(event, claims, desk),
    endings: endingsOf(subject, desk),
    // what somebody has just done with it here
    done: doneOf(doing, { desk, endedAt: end?.at, now }),
  };
}

function jwtView({ header, parts }: DecodedJwt) {
  return { header: headerRows(header), parts };
}

type SubjectOf = Parameters<typeof checksOf>[0];

/** An opaque token is examined by what it stands for; a code and a refresh token say nothing. */
async function checksFor(subject: SubjectOf, decoded: DecodedJwt | undefined, desk: TokenDesk): Promise<TokenCheck[]> {
  if (decoded !== undefined) return checksOf({ ...subject, header: decoded.header }, desk);
  return Object.keys(subject.claims).length === 0 ? [] : checksOf(subject, desk);
}

function statusWords(event: IssuedEvent, status: TokenStatus, isEnded: boolean, desk: TokenDesk): string {
  if (status === 'revoked') return `It was revoked. ${revokedWords(event, desk)}`;
  if (status === 'replaced') {
    return 'It was used and a new one took its place. Used again, it revokes everything from this login.';
  }
  if (status === 'used') return 'It was redeemed. Used again, it revokes the tokens it gave.';
  if (status === 'valid') return '';
  return isEnded && desk.clock() < event.exp
    ? `It was ended here, before its time. ${expiredWords(event)}`
    : 'Its time is over: whoever checks it refuses it.';
}

/** Seconds in which an ending can be taken back where it was made. */
const undoSeconds = 10;

interface DoneParts {
  readonly desk: TokenDesk;
  readonly endedAt: number | undefined;
  readonly now: number;
}

function doneOf(doing: Doing | undefined, { desk, endedAt, now }: DoneParts): Done {
  if (doing === undefined) return {};
  const undo = endedAt === undefined ? 0 : Math.ceil(endedAt + undoSeconds - now);
  const result = doing.used === '' ? undefined : useResult(desk.events, doing.used);
  return {
    ...(doing.done === 'expired' && undo > 0 ? { undo } : {}),
    ...(doing.done === 'resumed' && endedAt === undefined ? { notice: 'It is good again.' } : {}),
    ...defined({ result }),
  };
}
