import type { EventOf } from '../../events/event.ts';
import { refusalOf } from '../correlation/refusals.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { answers, arrow, asks, asksAndGets } from './arrows.ts';
import { loginWords } from './authorization.ts';
import type { Arrow, Draw } from './model.ts';
import { shownArrow } from './unseen.ts';

// What a user decides about on another screen than the one that asked.

export const drawDevice: Draw = (request, { seen }) => {
  const arrows = asksAndGets(
    request,
    'device',
    {
      words: 'asks for a code to show',
      why: 'A device without a browser cannot send its user to a login page. It asks for a code the user can type somewhere else.',
      reference: 'RFC 8628 §3.1',
    },
    answers(request, 'device', 'device_code, user_code', {
      words: 'gives one for the device, one for the user',
      why: 'The device asks with the device_code. The user_code is short, because somebody has to type it.',
      reference: 'RFC 8628 §3.2',
    }),
  );
  if (refusalOf(request) !== undefined) return arrows;
  seen.add('asked');
  return [...arrows, shownArrow];
};

export const drawVerification: Draw = (request, { seen }) => {
  seen.add('page');
  return [
    asks(request, 'browser', {
      words: verificationWords(request, seen),
      why: 'The user signs in, types the code, and sees who asks for what before anything is allowed. A code in the address only saves the typing.',
      reference: 'RFC 8628 §3.3',
    }),
  ];
};

function verificationWords(request: RecordedRequest, seen: Set<string>): string {
  const decided = request.fact('device.approved', 'device.denied');
  if (decided !== undefined) {
    seen.add('decided');
    return decisionWords(decided);
  }
  if (refusalOf(request) !== undefined) return 'types a code that is not good';
  return request.value('user_code') === undefined ? 'opens the page' : 'types the code and sees who asks';
}

/** A login that leads to a page of ours. */
export const drawPageLogin: Draw = request => [
  asks(request, 'browser', {
    words: loginWords(request),
    why: 'The user says who they are, and comes to the page on which they decide.',
    reference: 'OIDC Core §3.1.2.3',
  }),
];

export const drawBackchannel: Draw = (request, { seen }) => {
  if (refusalOf(request) === undefined) seen.add('asked');
  return asksAndGets(
    request,
    'client',
    {
      words: 'asks for the approval of a user',
      why: 'The client knows who the user is, on the phone or at a counter, and asks this server to ask them.',
      reference: 'OIDC CIBA §7.1',
    },
    answers(request, 'client', 'auth_req_id', {
      words: 'gives something to ask with',
      why: 'The user may take a while. The client asks with the auth_req_id until they have decided.',
      reference: 'OIDC CIBA §7.3',
    }),
  );
};

export const drawApprovals: Draw = (request, { seen }) => {
  seen.add('page');
  const decided = request.fact('ciba.approved', 'ciba.denied');
  if (decided !== undefined) seen.add('decided');
  const asked = asks(request, 'browser', {
    words: decided === undefined ? 'looks at what waits' : decisionWords(decided),
    why: 'In place of an app on the phone of the user, this sandbox has a page on which they decide.',
    reference: 'OIDC CIBA §8',
  });
  return [asked, ...notified(request)];
};

function decisionWords({ sub, type }: EventOf<'device.approved' | 'device.denied' | 'ciba.approved' | 'ciba.denied'>) {
  return `${sub} presses ${type.endsWith('approved') ? 'Allow' : 'Deny'}`;
}

function notified(request: RecordedRequest): Arrow[] {
  const fact = request.fact('ciba.notified');
  if (fact === undefined) return [];
  const told = arrow('idp', 'client', `POST ${new URL(fact.url).pathname}`, {
    words: fact.status === undefined ? 'the client was not reached' : `tells the client, which answers ${fact.status}`,
    why: 'A client of the mode ping is told that there is a decision, and not which. It asks for that itself.',
    reference: 'OIDC CIBA §10.2',
  });
  return [{ ...told, part: 'event', fact }];
}
