import type { IssuedEvent } from '../events/event-log.ts';
import { displayName } from '../oauth/users/user.ts';
import { type Check, checksOf } from './checks.ts';
import { type ClaimRow, claimRows, headerRows } from './claim-rows.ts';
import { type Curl, curlOf } from './curl.ts';
import type { DashboardOptions } from './dashboard-options.ts';
import { duration, left } from './duration.ts';
import { decodeJwt, readableToken } from './jwt.ts';
import { type Lineage, lineageOf } from './lineage.ts';
import { type Moment, momentOf } from './moment.ts';
import { registeredClient } from './registered-client.ts';
import { type TokenRow, toRow } from './token-list.ts';
import { createStatusOf, type TokenStatus, tokenTypeOf } from './token-status.ts';

/** The page of one code or token: what is it, is it good, what is in it, where does it come from. */
export interface TokenPage extends TokenRow {
  readonly title: string;
  /** What the status means. */
  readonly statusWords: string;
  /** `4 min 12 s left`. */
  readonly leftWords: string;
  readonly lifetimeWords: string;
  readonly issued: Moment;
  readonly expires: Moment;
  readonly requestId: string;
  /** Empty where the client is not registered any more. */
  readonly clientName: string;
  readonly userName: string;
  /** The grant type of the request that gave it. */
  readonly grant: string;
  /** The grant type its authorization began with; absent where it is that very grant. */
  readonly began?: string;
  readonly redirectUri?: string;
  readonly token: string;
  /** The parts of a JWT; absent for a code or an opaque token. */
  readonly jwt?: {
    readonly header: readonly ClaimRow[];
    readonly claims: readonly ClaimRow[];
    readonly parts: readonly [string, string, string];
    readonly json: string;
  };
  readonly checks: readonly Check[];
  readonly lineage: Lineage;
  readonly curl?: Curl;
}

const typeNames = {
  code: 'Authorization code',
  access: 'Access token',
  refresh: 'Refresh token',
  id: 'ID Token',
} as const;

const statusMeanings: Readonly<Record<TokenStatus, string>> = {
  valid: '',
  expired: 'Its time is over: whoever checks it refuses it.',
  revoked:
    'Everything from this login was revoked: by the client, or because something was used twice. An API that only checks the signature accepts an access token until it expires.',
  replaced: 'It was used and a new one took its place. Used again, it revokes everything from this login.',
  used: 'It was redeemed. Used again, it revokes the tokens it gave.',
};

export async function tokenPage(event: IssuedEvent, options: DashboardOptions): Promise<TokenPage> {
  const now = options.clock();
  const status = createStatusOf(options.events, now)(event);
  const row = toRow(event, status, now);
  const decoded = decodeJwt(readableToken(event));
  const client = registeredClient(options, event.client_id);
  const user = options.users.find(({ sub }) => sub === event.sub);
  const curl = curlOf(event, options);
  return {
    ...row,
    title: `${typeNames[row.type]} for ${event.sub ?? `client ${event.client_id}`}`,
    statusWords: statusMeanings[status],
    leftWords: left(row.left, 2),
    lifetimeWords: duration(event.exp - event.iat),
    issued: momentOf(event.at, now),
    expires: momentOf(event.exp, now),
    requestId: event.requestId,
    clientName: client?.client_name ?? '',
    userName: user === undefined ? '' : displayName(user),
    ...grantOf(event, options),
    ...(event.type === 'code.issued' ? { redirectUri: event.redirect_uri } : {}),
    token: event.token,
    ...(decoded === undefined ? {} : { jwt: jwtView(decoded, event, options) }),
    checks: decoded === undefined ? [] : await checksOf({ event, jwt: decoded, status, now }, options),
    lineage: lineageOf(options.events, event, now),
    ...(curl === undefined ? {} : { curl }),
  };
}

/** An authorization keeps the grant it began with; a token made from a refresh token came by another one. */
function grantOf(event: IssuedEvent, { events }: DashboardOptions): Pick<TokenPage, 'grant' | 'began'> {
  if (event.type === 'code.issued') return { grant: 'authorization_code' };
  const { grant_type, parentTokenId } = event;
  const parent = parentTokenId === undefined ? undefined : events.issued(parentTokenId);
  const isOfSameLogin = parent?.authorizationId === event.authorizationId;
  const isRefreshed = isOfSameLogin && parent !== undefined && tokenTypeOf(parent) === 'refresh';
  return isRefreshed ? { grant: 'refresh_token', began: grant_type } : { grant: grant_type };
}

type Decoded = NonNullable<ReturnType<typeof decodeJwt>>;

function jwtView(jwt: Decoded, event: IssuedEvent, options: DashboardOptions): NonNullable<TokenPage['jwt']> {
  return {
    header: headerRows(jwt),
    claims: claimRows(jwt, event, options, options.clock()),
    parts: jwt.parts,
    json: JSON.stringify({ header: jwt.header, payload: jwt.claims }, null, 2),
  };
}
