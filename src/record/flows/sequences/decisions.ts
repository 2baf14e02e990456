import type { EventOf } from '../../../base/events/event.ts';
import { refusalOf } from '../correlation/flow-status.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { loginWords } from './authorization.ts';
import { type Arrow, answers, arrow, asks, asksAndGets, type Draw } from './model.ts';
import { shownArrow } from './unseen.ts';

// Draws flows in which the user decides on a different device than the one that asks: device grant and CIBA.

/** Draws a device authorization request and, unless it was refused, the code on the screen of the device. */
export const drawDevice: Draw = (request, { seen }) => {
  const arrows = asksAndGets(
    request,
    'device',
    {
      words: 'requests a code to show',
      why: 'A device without a browser cannot send its user to a sign-in page. It requests a code that the user types on a phone or computer.',
      reference: 'RFC 8628 §3.1',
    },
    answers(request, 'device', 'device_code, user_code', {
      words: 'returns a code for the device and one for the user',
      why: 'The device polls with the device_code. The user_code is short, because the user has to type it.',
      reference: 'RFC 8628 §3.2',
    }),
  );
  if (refusalOf(request) !== undefined) return arrows;
  seen.add('asked');
  return [...arrows, shownArrow];
};

/** Draws a request of the page on which the user types the code of a device. */
export const drawVerification: Draw = (request, { seen }) => {
  seen.add('page');
  return [
    asks(request, 'browser', {
      words: verificationWords(request, seen),
      why: 'The user signs in, types the code, and sees the client and its scopes before deciding. A code in the address only saves the typing.',
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
  if (refusalOf(request) !== undefined) return 'types an invalid code';
  return request.value('user_code') === undefined ? 'opens the page' : 'types the code and sees which client asks';
}

/** Draws a login that leads to the device page or the approvals page, not to an application. */
export const drawPageLogin: Draw = request => [
  asks(request, 'browser', {
    words: loginWords(request),
    why: 'The user signs in and reaches the page for the decision.',
    reference: 'OIDC Core §3.1.2.3',
  }),
];

/** Draws a backchannel authentication request (CIBA) and its `auth_req_id`. */
export const drawBackchannel: Draw = (request, { seen }) => {
  if (refusalOf(request) === undefined) seen.add('asked');
  return asksAndGets(
    request,
    'client',
    {
      words: 'requests the approval of a user',
      why: 'The client already knows who the user is, for example on the phone or at a counter. This server asks the user to approve.',
      reference: 'OIDC CIBA §7.1',
    },
    answers(request, 'client', 'auth_req_id', {
      words: 'returns an id to poll with',
      why: 'The user may take a while. The client polls with the auth_req_id until the user has decided.',
      reference: 'OIDC CIBA §7.3',
    }),
  );
};

/** Draws a request of the approvals page, and the notification that a decision sends to a client in ping mode. */
export const drawApprovals: Draw = (request, { seen }) => {
  seen.add('page');
  const decided = request.fact('ciba.approved', 'ciba.denied');
  if (decided !== undefined) seen.add('decided');
  const asked = asks(request, 'browser', {
    words: decided === undefined ? 'opens the pending approvals' : decisionWords(decided),
    why: "A real provider asks in an app on the user's phone. This sandbox has a page for the decision instead.",
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
    words:
      fact.status === undefined ? 'could not reach the client' : `notifies the client, which answers ${fact.status}`,
    why: 'In ping mode this server tells the client that the user has decided. The notification does not contain the decision; the client asks for it at the token endpoint.',
    reference: 'OIDC CIBA §10.2',
  });
  return [{ ...told, part: 'event', fact }];
}
