import type { FaultKind } from '../fault.ts';
import { errorAnswer, pageAnswer, plainAnswer } from './answers.ts';

type Row = Omit<FaultKind, 'place' | 'endpoints' | 'endpoint' | 'parameters'> & Partial<Pick<FaultKind, 'parameters'>>;

const rows: readonly Row[] = [
  {
    name: 'slow',
    title: 'Slow answer',
    about: 'The answer is right, and comes some seconds late.',
    parameters: { seconds: 3 },
    effect: { does: 'wait', seconds: ({ parameters }) => parameters.seconds },
  },
  {
    name: 'jitter',
    title: 'Now quick, now slow',
    about: 'The answer is right, and comes up to so many seconds late, another time each.',
    parameters: { seconds: 2 },
    effect: { does: 'wait', seconds: ({ parameters }) => Math.random() * parameters.seconds },
  },
  {
    name: 'no_answer',
    title: 'No answer at all',
    about:
      'Never answers: the client has to give up by itself. Once it is disarmed, what still waits is answered as if nothing were wrong.',
    effect: { does: 'hold' },
  },
  {
    name: 'unavailable',
    title: '503 with Retry-After',
    about: 'Answers 503 temporarily_unavailable and says when to come again; nothing is used up.',
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
    about: 'Answers with the status that is named, 4xx or 5xx, and an error in JSON.',
    parameters: { status: 504, error: 'server_error' },
    effect: { does: 'answer', answer: ({ parameters: { status, error } }) => errorAnswer(status, error) },
  },
  {
    name: 'rate_limited',
    title: '429 with Retry-After',
    about: 'Answers 429 and says when to come again (RFC 6585 §4).',
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
    about: 'Answers 502 with a page of HTML, as a proxy does whose server is gone.',
    effect: { does: 'answer', answer: () => pageAnswer(502, 'Bad Gateway') },
  },
  {
    name: 'html_instead_of_json',
    title: '200 with HTML',
    about: 'Answers 200 with a page of HTML where JSON was wanted, as a captive portal does.',
    effect: { does: 'answer', answer: () => pageAnswer(200, 'Welcome to the network') },
  },
  {
    name: 'empty_body',
    title: '200 with nothing',
    about: 'Answers 200 as JSON, with an empty body.',
    effect: { does: 'answer', answer: () => plainAnswer(200, 'application/json', '') },
  },
  {
    name: 'broken_json',
    title: '200 with half of the JSON',
    about: 'Answers 200 with JSON that ends in the middle, though the message is whole.',
    effect: { does: 'answer', answer: () => plainAnswer(200, 'application/json', '{"issuer":"htt') },
  },
  {
    name: 'truncated',
    title: 'Connection cut in the answer',
    about: 'Sends half of the answer, and closes the connection.',
    effect: { does: 'cut', fate: 'truncate' },
  },
  {
    name: 'connection_dropped',
    title: 'Connection cut before the answer',
    about: 'Takes the request, does what it asks, and closes the connection without an answer.',
    effect: { does: 'cut', fate: 'drop' },
  },
  {
    name: 'no_cors',
    title: 'No CORS headers',
    about:
      'The answer, or that to its preflight, is right, but without the headers that let a page of another origin read it.',
    effect: { does: 'cut', fate: 'no_cors' },
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
