import type { EventOf } from '../../events/event.ts';
import { asksFirst } from '../correlation/flow-status.ts';
import { refusalOf } from '../correlation/refusals.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { answers, arrow, asks } from './arrows.ts';
import type { Arrow, Draw } from './model.ts';
import { redirectOf, redirectTitle } from './redirect.ts';

const reference = 'OIDC RP-Initiated Logout §2';

export const drawEndSession: Draw = (request, { seen, flow }) => {
  const isFirst = !seen.has('redirected');
  seen.add('redirected');
  const asked = asks(request, 'browser', {
    words: logoutWords(request),
    why: 'The app asks this server to end its session as well. With an id_token_hint nobody has to confirm; without one, anybody could log people out.',
    reference,
  });
  return [...(isFirst && !flow.incomplete ? [sentHere(request.event.path)] : []), asked, ...goneOn(request, seen)];
};

export const drawConfirm: Draw = (request, { seen }) => {
  const asked = asks(request, 'browser', {
    words: confirmWords(request),
    why: 'The user confirms the logout, because the request did not prove whose session it is about.',
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
    words: 'sends the browser here',
    why: 'The app sends the browser to this server, so that the login here ends as well.',
    reference,
  };
}

function logoutWords(request: RecordedRequest): string {
  const ended = request.fact('session.ended');
  if (ended !== undefined) return `ends the session of ${ended.sub}`;
  if (refusalOf(request) !== undefined) return 'is refused';
  return asksFirst(request) ? 'asks for a logout; the user must confirm' : 'asks for a logout; nobody is logged in';
}

function confirmWords(request: RecordedRequest): string {
  const ended = request.fact('session.ended');
  return ended === undefined ? 'stays signed in' : `${ended.sub} confirms, and the session ends`;
}

/** Who is told, and where the browser goes. */
function goneOn(request: RecordedRequest, seen: Set<string>): Arrow[] {
  if (request.fact('session.ended') !== undefined) seen.add('logged out');
  const told = request.facts.filter((fact): fact is EventOf<'logout.notified'> => fact.type === 'logout.notified');
  const redirect = redirectOf(request);
  const notices = told.map(noticeArrow);
  if (redirect === undefined) return notices;
  const title = redirectTitle(redirect);
  const sentBack = answers(request, 'browser', title, {
    words: 'sends the browser back',
    why: 'The address is registered, so the browser may go there. Anything else would make this server an open redirector.',
    reference: 'OIDC RP-Initiated Logout §3',
  });
  const arrived = arrow('browser', 'client', `GET ${title}`, {
    words: 'the app shows that it is over',
    why: 'The browser goes on to the app. This server does not see whether it arrives.',
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
      why: 'Our page loads this address in an iframe. Only the browser knows what came of it.',
      reference: 'OIDC Front-Channel Logout §2',
    });
  }
  const told = arrow('idp', 'client', `POST ${path}`, {
    words: status === undefined ? `${client_id} was not reached` : `tells ${client_id}, which answers ${status}`,
    why: 'This server tells each client of the session with a signed logout token, whatever the browser does.',
    reference: 'OIDC Back-Channel Logout §2.5',
  });
  return { ...told, part: 'event', fact };
}
