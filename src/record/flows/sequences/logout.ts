import type { EventOf } from '../../../base/events/event.ts';
import { asksFirst, refusalOf } from '../correlation/flow-status.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { type Arrow, answers, arrow, asks, type Draw } from './model.ts';
import { redirectOf, redirectTitle } from './parts.ts';

const reference = 'OIDC RP-Initiated Logout §2';

/** Draws a request of the end session endpoint, its notices to clients and the redirect back. */
export const drawEndSession: Draw = (request, { seen, flow }) => {
  const isFirst = !seen.has('redirected');
  seen.add('redirected');
  const asked = asks(request, 'browser', {
    words: logoutWords(request),
    why: 'The app asks this server to end its session as well. An id_token_hint proves that the app had this sign-in. Without it the user must confirm, because anybody could send the request.',
    reference,
  });
  return [...(isFirst && !flow.incomplete ? [sentHere(request.event.path)] : []), asked, ...goneOn(request, seen)];
};

/** Draws the form on which a user confirms a logout or stays signed in. */
export const drawConfirm: Draw = (request, { seen }) => {
  const asked = asks(request, 'browser', {
    words: confirmWords(request),
    why: 'The user confirms the logout, because the request did not prove which session it belongs to.',
    reference,
  });
  return [asked, ...goneOn(request, seen)];
};

function sentHere(path: string): Arrow {
  return {
    from: 'client',
    to: 'browser',
    onwardTo: 'idp',
    isResponse: true,
    title: `302 ${path}`,
    words: 'redirects the browser to this server',
    why: 'The app sends the browser to this server, so that the session here ends as well.',
    reference,
  };
}

function logoutWords(request: RecordedRequest): string {
  const ended = request.fact('session.ended');
  if (ended !== undefined) return `ends the session of ${ended.sub}`;
  if (refusalOf(request) !== undefined) return 'is refused';
  return asksFirst(request) ? 'requests a logout; the user must confirm' : 'requests a logout; nobody is signed in';
}

function confirmWords(request: RecordedRequest): string {
  const ended = request.fact('session.ended');
  return ended === undefined ? 'stays signed in' : `${ended.sub} confirms, and the session ends`;
}

function goneOn(request: RecordedRequest, seen: Set<string>): Arrow[] {
  if (request.fact('session.ended') !== undefined) seen.add('logged out');
  const told = request.facts.filter((fact): fact is EventOf<'logout.notified'> => fact.type === 'logout.notified');
  const redirect = redirectOf(request);
  const notices = told.map(noticeArrow);
  if (redirect === undefined) return notices;
  const title = redirectTitle(redirect);
  const sentBack = answers(request, 'browser', title, {
    words: 'sends the browser back',
    why: 'The post_logout_redirect_uri is registered, so the browser may go there. Without that check this server would be an open redirector.',
    reference: 'OIDC RP-Initiated Logout §3',
  });
  const arrived = arrow('browser', 'client', `GET ${title}`, {
    words: 'the app shows that the user is signed out',
    why: 'The browser opens the app. This server does not see whether it arrives.',
    reference: 'OIDC RP-Initiated Logout §3',
  });
  return [...notices, { ...sentBack, onwardTo: 'client' }, arrived];
}

function noticeArrow(fact: EventOf<'logout.notified'>): Arrow {
  const { channel, client_id, url, status, failure } = fact;
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  if (channel === 'front') {
    return arrow('browser', 'client', `GET ${path}`, {
      words: failure ?? `an iframe tells ${client_id}`,
      why: 'The logout page loads this address in an iframe. Only the browser knows the result.',
      reference: 'OIDC Front-Channel Logout §2',
    });
  }
  const told = arrow('idp', 'client', `POST ${path}`, {
    words: status === undefined ? `could not reach ${client_id}` : `notifies ${client_id}, which answers ${status}`,
    why: 'This server sends a signed logout token to each client of the session, independently of the browser.',
    reference: 'OIDC Back-Channel Logout §2.5',
  });
  return { ...told, part: 'event', fact };
}
