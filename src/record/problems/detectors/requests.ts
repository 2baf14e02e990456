import { atOnce } from '../../../base/turns.ts';
import { type HostFact, hostFacts, isForeign } from '../../flows/hosts.ts';
import type { RecordedRequest } from '../../flows/recorded-request.ts';
import type { Known } from '../known.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

const metadataEndpoints: ReadonlySet<string> = new Set(['discovery', 'jwks']);

/** Detects a read of the metadata or keys under a host that is not the issuer. */
export const foreignHost = detector(
  'foreign_host',
  {
    request: ({ event }, known) =>
      metadataEndpoints.has(event.endpoint) && isForeign(event, ownOf(known)) ? event : undefined,
  },
  (clues, _time, known) =>
    atOnce(hostFacts(clues, ownOf(known))).flatMap(fact => {
      const seen = clues.find(({ requestId }) => requestId === fact.uses[0]?.requestId);
      if (seen === undefined || !fact.isServed) return [];
      const title = `A caller reached this server as ${fact.host}`;
      return [failureIn(seen, title, () => explainHost(fact, known))];
    }),
);

function ownOf({ issuer, backchannelUrl }: Known) {
  return { issuer, backchannelUrl };
}

function explainHost({ host, uses }: HostFact, { issuer, base }: Known) {
  const { protocol } = new URL(issuer);
  const agent = uses[0]?.agent ?? '';
  return {
    comparison: sideBySide('Requested host', host, 'Issuer in every token', issuer),
    why: `${agent === '' ? 'A caller' : agent} read the metadata or the keys at ${host}, but tokens have iss ${issuer}. A library that compares the two refuses the metadata, or every token.`,
    others: ['The caller reads only the keys, and its issuer is configured by hand. Then nothing is wrong.'],
    fixes: [
      {
        text: 'Set the address that back ends use, so that browser and back end share one issuer.',
        snippets: [{ where: 'environment', code: `BACKCHANNEL_URL=${protocol}//${host}` }],
      },
      {
        text: `Or read only the keys at that address, and expect the issuer ${issuer}.`,
        snippets: [{ where: 'your API', code: `jwk-set-uri=${protocol}//${host}${base}/oauth2/jwks` }],
      },
      'See the page Connect, section Host names, for the lines for every library.',
    ],
    references: ['RFC 8414 §3.3', 'OIDC Discovery §4.3'],
  };
}

const preflightPatience = 5;

/** Detects an allowed CORS preflight (Fetch standard) whose request never came. */
export const preflightWithoutRequest = detector(
  'preflight_without_request',
  { request: preflightClue },
  (clues, { hasPassed }) => {
    const lastCalls = new Map(clues.map(({ call, event }) => [call, event.id]));
    return clues.flatMap(({ event, awaited, preflight }) => {
      if (preflight === undefined || (lastCalls.get(awaited) ?? 0) > event.id) return [];
      if (!hasPassed(event, preflightPatience)) return [];
      const title = `A browser sent a preflight for ${event.path} but no request`;
      return [failureIn(event, title, () => explainPreflight(preflight))];
    });
  },
);

/** A request of a script, with the key that it shares with its preflight; a preflight has the key of the awaited request, too. */
function preflightClue(request: RecordedRequest) {
  const { event } = request;
  const origin = request.header('origin');
  if (origin === undefined) return undefined;
  const callOf = (method: string) => JSON.stringify([method, event.path, origin]);
  const method = request.header('access-control-request-method') ?? '';
  const preflight = isGranted(request) ? request : undefined;
  return { event, call: callOf(event.method), awaited: callOf(method), preflight };
}

/** Leaves out refused preflights, which are refusals already. */
function isGranted(request: RecordedRequest): boolean {
  return (
    request.event.method === 'OPTIONS' &&
    request.header('access-control-request-method') !== undefined &&
    request.responseHeader('access-control-allow-origin') !== undefined
  );
}

function explainPreflight(preflight: RecordedRequest) {
  const origin = preflight.header('origin') ?? '';
  const method = preflight.header('access-control-request-method') ?? '';
  const headers = preflight.header('access-control-request-headers') ?? 'none';
  return {
    comparison: sideBySide(
      'The preflight asked for',
      `${method} from ${origin} with headers: ${headers}`,
      'Expected next',
      `${method} ${preflight.event.path}`,
    ),
    why: `The server allowed the preflight from ${origin}, but the request never came. The browser blocked it, or the user left the page.`,
    others: [
      'The request has credentials (cookies). Only the token endpoint allows them.',
      'A browser extension or the content security policy of the app (connect-src) blocks the call.',
      'The user left the page before the response arrived.',
    ],
    fixes: [
      'Open the browser console, which names the rule that blocked the request.',
      'Leave out credentials: "include" and withCredentials. A bearer token needs neither.',
    ],
    references: ['RFC 6454 §7'],
  };
}
