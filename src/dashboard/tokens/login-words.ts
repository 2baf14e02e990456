import type { IssuedEvent } from '../../base/events/event-log.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import type { Desk } from '../desk.ts';

const names: Readonly<Record<string, string>> = {
  authorization_code: 'code',
  implicit: 'implicit',
  client_credentials: 'client credentials',
  password: 'password',
  refresh_token: 'refresh token',
  'urn:ietf:params:oauth:grant-type:device_code': 'device code',
  'urn:openid:params:grant-type:ciba': 'backchannel login',
  'urn:ietf:params:oauth:grant-type:jwt-bearer': 'JWT assertion',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'token exchange',
};

/** The grant of a login, such as `code with PKCE`, and its refreshes, such as `refreshed twice`. */
export function grantWords(tokens: readonly IssuedEvent[], desk: Pick<Desk, 'flows' | 'events'>) {
  const issued = tokens.find(each => each.type === 'token.issued');
  const grant = issued?.type === 'token.issued' ? (issued.began ?? issued.grant_type) : 'authorization_code';
  if (grant === 'mint') return { grant: defectWords(issued), refreshed: '' };
  const isCode = tokens.some(each => each.type === 'code.issued');
  const pkce = isCode && hasPkce(tokens[0], desk) ? ' with PKCE' : '';
  return { grant: (names[grant] ?? grant) + pkce, refreshed: refreshWords(tokens) };
}

function defectWords(event: IssuedEvent | undefined): string {
  const defect = event?.type === 'token.issued' ? event.defect : undefined;
  return defect === undefined ? '' : `${defect.replaceAll('_', ' ')} on purpose`;
}

function hasPkce(code: IssuedEvent | undefined, { flows, events }: Pick<Desk, 'flows' | 'events'>): boolean {
  const steps = code === undefined ? [] : (flows.ofToken(code.tokenId)?.steps ?? []);
  return steps.some(({ requestId }) =>
    events
      .ofRequest(requestId)
      .some(event => event.type === 'authorization.requested' && event.code_challenge_method !== undefined),
  );
}

function refreshWords(tokens: readonly IssuedEvent[]): string {
  const refresh = new Set(tokens.filter(each => tokenTypeOf(each) === 'refresh').map(({ tokenId }) => tokenId));
  const made = tokens.filter(({ parentTokenId }) => parentTokenId !== undefined && refresh.has(parentTokenId));
  const times = new Set(made.map(({ requestId }) => requestId)).size;
  if (times === 0) return '';
  return ['refreshed once', 'refreshed twice'][times - 1] ?? `refreshed ${times} times`;
}
