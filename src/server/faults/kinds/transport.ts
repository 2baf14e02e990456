import type { FaultKind } from '../fault.ts';
import { errorAnswer, pageAnswer, plainAnswer } from './answers.ts';
import { changed } from './metadata.ts';

type Row = Omit<FaultKind, 'place' | 'endpoints' | 'endpoint' | 'parameters'> & Partial<Pick<FaultKind, 'parameters'>>;

const rows: readonly Row[] = [
  {
    name: 'slow',
    title: 'Slow response',
    about: 'The response is correct, but some seconds late.',
    parameters: { seconds: 3 },
    effect: { does: 'wait', seconds: ({ parameters }) => parameters.seconds },
  },
  {
    name: 'jitter',
    title: 'Varying delay',
    about: 'The response is correct, but late by a random time up to the given seconds.',
    parameters: { seconds: 2 },
    effect: { does: 'wait', seconds: ({ parameters }) => Math.random() * parameters.seconds },
  },
  {
    name: 'no_answer',
    title: 'No response at all',
    about:
      'Never answers, so the client has to time out. Pending requests are answered normally when the fault is disarmed.',
    effect: { does: 'hold' },
  },
  {
    name: 'unavailable',
    title: '503 with Retry-After',
    about: 'Answers 503 temporarily_unavailable with Retry-After. Codes and tokens remain valid.',
    parameters: { seconds: 1 },
    effect: {
      does: 'answer',
      answer: ({ parameters }) =>
        errorAnswer(503, 'temporarily_unavailable', { 'Retry-After': String(Math.ceil(parameters.seconds)) }),
    },
  },
  {
    name: 'server_error',
    title: '500 server_error',
    about: 'Answers 500 with an error in JSON.',
    effect: { does: 'answer', answer: () => errorAnswer(500, 'server_error') },
  },
  {
    name: 'http_status',
    title: 'Any other status',
    about: 'Answers with the given status, 4xx or 5xx, and an error in JSON.',
    parameters: { status: 504, error: 'server_error' },
    effect: { does: 'answer', answer: ({ parameters: { status, error } }) => errorAnswer(status, error) },
  },
  {
    name: 'redirected',
    title: 'Redirect to another page',
    about: 'Answers 302 to the health of the sandbox, as a proxy does that leads to a page of its own.',
    effect: {
      does: 'answer',
      answer: ({ issuer }) => plainAnswer(302, 'text/plain', '', { Location: `${issuer}/health` }),
    },
  },
  {
    name: 'rate_limited',
    title: '429 with Retry-After',
    about: 'Answers 429 with Retry-After (RFC 6585 §4).',
    parameters: { seconds: 1 },
    effect: {
      does: 'answer',
      answer: ({ parameters }) =>
        errorAnswer(429, 'slow_down', { 'Retry-After': String(Math.ceil(parameters.seconds)) }),
    },
  },
  {
    name: 'bad_gateway',
    title: '502 page of a proxy',
    about: 'Answers 502 with an HTML page, as a proxy does if its server is down.',
    effect: { does: 'answer', answer: () => pageAnswer(502, 'Bad Gateway') },
  },
  {
    name: 'html_instead_of_json',
    title: '200 with HTML',
    about: 'Answers 200 with an HTML page instead of JSON, as a captive portal does.',
    effect: { does: 'answer', answer: () => pageAnswer(200, 'Welcome to the network') },
  },
  {
    name: 'empty_body',
    title: '200 with an empty body',
    about: 'Answers 200 as JSON, with an empty body.',
    effect: { does: 'answer', answer: () => plainAnswer(200, 'application/json', '') },
  },
  {
    name: 'broken_json',
    title: '200 with half of the JSON',
    about: 'Answers 200 with truncated JSON in a complete HTTP message.',
    effect: { does: 'answer', answer: () => plainAnswer(200, 'application/json', '{"issuer":"htt') },
  },
  {
    name: 'truncated',
    title: 'Connection cut in the response',
    about: 'Sends half of the response and closes the connection.',
    effect: { does: 'cut', fate: 'truncate' },
  },
  {
    name: 'connection_dropped',
    title: 'Connection cut before the response',
    about: 'Processes the request and closes the connection without a response.',
    effect: { does: 'cut', fate: 'drop' },
  },
  {
    name: 'no_cors',
    title: 'No CORS headers',
    about:
      'The response to the request or its preflight lacks the CORS headers, so a page from a different origin cannot read it.',
    effect: { does: 'cut', fate: 'no_cors' },
  },
  {
    name: 'dpop_nonce',
    title: 'A nonce in each DPoP proof',
    about:
      'The endpoint refuses a DPoP proof without a nonce of the server with use_dpop_nonce, as with `DPOP_NONCE` (RFC 9449 §8).',
    effect: { does: 'demand_nonce' },
  },
  {
    name: 'challenge_case',
    title: 'Challenge in other letters',
    about:
      'A `WWW-Authenticate` header has its scheme in other letters, such as dpOp, which clients must take (RFC 9110 §11.1).',
    effect: { does: 'cut', fate: 'challenge_case' },
  },
  {
    name: 'changed_members',
    title: 'Changed members',
    about: 'A good JSON response has other members: `change` adds or replaces them, and null removes one.',
    parameters: { change: {} },
    effect: { does: 'bend', bend: (body, { parameters: { change } }) => changed(body, change) },
  },
];

/** Faults that can occur between any two machines. */
export const transportFaults: readonly FaultKind[] = rows.map(row => ({
  place: 'transport',
  endpoints: [],
  endpoint: 'token',
  parameters: {},
  ...row,
}));
