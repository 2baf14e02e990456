import { arrow } from './arrows.ts';
import type { Arrow, Drawing, LaneId, Milestone } from './model.ts';
import { callbackArrow, shownArrow } from './unseen.ts';

/** Arrows that a flow of this kind still needs. */
interface Planned {
  /** The arrows are drawn unless the flow reached this. */
  readonly until: Milestone;
  arrows(drawing: Drawing): readonly Arrow[];
}

const planned = (from: LaneId, to: LaneId, title: string, words: string, reference: string): Arrow =>
  arrow(from, to, title, { words, why: 'Not reached: the flow stopped earlier.', reference });

const answer = (...of: Parameters<typeof planned>): Arrow => ({ ...planned(...of), isResponse: true });

const loginPage: Planned = {
  until: 'login',
  arrows: ({ seen }) =>
    seen.has('answered') ? [] : [planned('browser', 'idp', 'POST /login', 'picks a user', 'OIDC Core §3.1.2.3')],
};

function back(names: string, reference: string): Planned {
  return {
    until: 'answered',
    arrows({ flow }) {
      const uri = flow.redirect_uri ?? 'http://localhost/callback';
      const callback = callbackArrow({ uri, parameters: [], mode: 'query' });
      const title = callback.title.replace(/^GET /, '');
      return [
        { ...answer('idp', 'browser', `302 ${title}${names}`, 'returns to the app', reference), onwardTo: 'client' },
        { ...callback, title: `${callback.title}${names}`, why: 'Not reached: the flow stopped earlier.' },
      ];
    },
  };
}

const tokens: Planned = {
  until: 'tokens',
  arrows: ({ client, flow }) => {
    const isAsked = flow.steps.some(({ endpoint }) => endpoint === 'token');
    const request = planned(client, 'idp', 'POST /oauth2/token', 'requests tokens', 'RFC 6749 §3.2');
    return [
      ...(isAsked ? [] : [request]),
      answer('idp', client, '200 access_token', 'returns tokens', 'RFC 6749 §5.1'),
    ];
  },
};

const call: Planned = {
  until: 'used',
  arrows: ({ client, seen }) =>
    seen.has('tokens')
      ? []
      : [planned(client, 'api', 'GET /api/…', 'calls the API with the access token', 'RFC 6750 §2.1')],
};

const code = [loginPage, back('?code&state', 'RFC 6749 §4.1.2'), tokens, call];

const device: readonly Planned[] = [
  {
    until: 'asked',
    arrows: () => [
      answer('idp', 'device', '200 device_code, user_code', 'returns two codes', 'RFC 8628 §3.2'),
      { ...shownArrow, why: 'Not reached: the flow stopped earlier.' },
    ],
  },
  {
    until: 'decided',
    arrows: ({ seen }) => [
      ...(seen.has('page')
        ? []
        : [planned('browser', 'idp', 'GET /oauth2/device_verification', 'opens the page', 'RFC 8628 §3.3')]),
      planned(
        'browser',
        'idp',
        'POST /oauth2/device_verification',
        'types the code, then allows or denies',
        'RFC 8628 §3.3',
      ),
    ],
  },
  tokens,
];

const ciba: readonly Planned[] = [
  {
    until: 'asked',
    arrows: () => [answer('idp', 'client', '200 auth_req_id', 'returns an id to poll with', 'OIDC CIBA §7.3')],
  },
  {
    until: 'decided',
    arrows: () => [planned('browser', 'idp', 'POST /approvals', 'allows or denies', 'OIDC CIBA §8')],
  },
  tokens,
];

const plans: Readonly<Partial<Record<Drawing['flow']['kind'], readonly Planned[]>>> = {
  authorization_code: code,
  hybrid: code,
  implicit: [loginPage, back('#access_token', 'OIDC Core §3.2.2.5'), call],
  device,
  ciba,
  client_credentials: [tokens, call],
  password: [tokens, call],
  token_exchange: [tokens, call],
  jwt_bearer: [tokens, call],
  refresh_token: [tokens, call],
  logout: [
    {
      until: 'logged out',
      arrows: () => [planned('browser', 'idp', 'POST /logout', 'confirms the logout', 'OIDC RP-Initiated Logout §2')],
    },
  ],
};

/** The arrows that an unfinished or failed flow did not reach; empty for a finished one. */
export function nextArrows(drawing: Drawing): readonly Arrow[] {
  const { flow, seen } = drawing;
  if (flow.status === 'ok' || seen.has('tokens')) return [];
  return (plans[flow.kind] ?? []).flatMap(({ until, arrows }) => (seen.has(until) ? [] : arrows(drawing)));
}
