import type { IncomingMessage } from 'node:http';
import { defined } from '../../../base/defined.ts';
import type { ErrorReturned } from '../../../base/events/event.ts';
import type { IssuedEvent } from '../../../base/events/event-log.ts';
import type { TokenUsed } from '../../../base/events/token-events.ts';
import { parseTokenIdentifier } from '../../../protocol/tokens/access-token.ts';
import type { ApiReason } from '../../../record/problems/known.ts';
import { contextOf } from '../../../server/http/request-context.ts';
import type { Claims, Refusal, ResourceServerOptions } from '../../../server/resources/index.ts';
import type { Issuer } from '../../extension.ts';

type Log = Pick<Issuer, 'events' | 'server'>;

/** Logs the decisions of the sample backend: refusals with their reasons, and accepted tokens. */
export function createApiEvents(log: Log): Required<Pick<ResourceServerOptions, 'onRefused' | 'onAccepted'>> {
  return {
    onRefused(request, refusal) {
      contextOf(request).emit(refused(log, request, refusal));
    },
    onAccepted(request, claims) {
      contextOf(request).emit(used(log, claims));
    },
  };
}

function refused(log: Log, request: IncomingMessage, refusal: Refusal): ErrorReturned {
  const { status, detail, error, sent, expected, claims } = refusal;
  const reason: ApiReason = `api_${refusal.reason}`;
  return {
    type: 'error.returned',
    endpoint: 'api',
    form: error !== undefined || status === 401 ? 'challenge' : 'problem',
    status,
    error: error ?? codeOf(status),
    reason,
    description: detail,
    ...defined({ sent, expected }),
    ...(tokenIn(claims) ?? tokenOf(sentToken(log, request))),
    ...clientIn(log, claims),
  };
}

/** Refusals without an OAuth code get the nearest one. */
function codeOf(status: Refusal['status']): string {
  if (status === 401) return 'invalid_token';
  return status === 500 ? 'server_error' : 'invalid_request';
}

type About = Pick<ErrorReturned, 'about' | 'authorizationId' | 'client_id'>;

function tokenIn(claims: Claims | undefined): About | undefined {
  if (typeof claims?.jti !== 'string' || !claims.jti.includes('.')) return undefined; // as in a logout token
  const { tokenId, authorizationId } = parseTokenIdentifier(claims.jti);
  return { about: tokenId, authorizationId };
}

function tokenOf(issued: IssuedEvent | undefined): About {
  if (issued === undefined) return {};
  return { about: issued.tokenId, authorizationId: issued.authorizationId, client_id: issued.client_id };
}

/** An ID Token names its client in `aud` only. */
function clientIn({ server }: Log, { client_id, aud }: Claims = {}): Pick<About, 'client_id'> {
  if (typeof client_id === 'string') return { client_id };
  return typeof aud === 'string' && server.clients.has(aud) ? { client_id: aud } : {};
}

const shortest = 20;

/**
 * Finds the credential of ours that was sent in place of an access token (ID Token, refresh token, code or opaque
 * token).
 */
function sentToken({ events }: Log, { headers: { authorization = '' } }: IncomingMessage): IssuedEvent | undefined {
  const sent = authorization.trim().split(/\s+/).at(-1) ?? '';
  return sent.length < shortest ? undefined : events.issuedAs(sent);
}

function userOf(sub: unknown, { users }: Log['server']): string | undefined {
  return typeof sub === 'string' && users.has(sub) ? sub : undefined;
}

function used({ events, server }: Log, { jti, client_id, sub }: Claims): TokenUsed {
  const ids = parseTokenIdentifier(String(jti));
  // only the log can map a pairwise sub to its user
  const known = events.issued(ids.tokenId) ?? { ...ids, sub: userOf(sub, server) };
  return {
    type: 'token.used',
    endpoint: 'api',
    tokenId: known.tokenId,
    authorizationId: known.authorizationId,
    client_id: String(client_id),
    ...defined({ sub: known.sub }),
  };
}
