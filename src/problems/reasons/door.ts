import { allowsPostLogoutRedirectUri } from '../../oauth/clients/client.ts';
import { type Case, sentHeader, shown } from '../case.ts';
import { compareDescribed, compareListed, compareText } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { nearestNames } from '../nearest-names.ts';
import type { ProposedFix } from '../problem.ts';
import { advice, setting } from '../remedies.ts';
import { endpointUrl, environment, inApp } from '../source-text.ts';
import { mendAddress } from './client-address.ts';
import { corsOriginRefused } from './cors-origin.ts';

/** What reaches no endpoint: another host, another origin, another path or method. */
export const doorEntries = {
  cors_origin_refused: corsOriginRefused,
  host_not_allowed: {
    title: 'The sandbox does not answer to the host {sent}',
    why: 'Only known host names are served: a website whose name leads to this machine could otherwise read what is here (DNS rebinding).',
    fix: 'Call the sandbox by the address of its issuer. Where containers or other machines know it by this name, add the name to ALLOWED_HOSTS.',
    rfc: 'RFC 9110 §15.5.20',
    compare: ({ error, known }) =>
      compareText(error.sent ?? '', [new URL(known.issuer).host], {
        sentLabel: 'Called as',
        expectedLabel: 'Known as',
      }),
    fixes: ({ error }) => {
      const name = (error.sent ?? '').replace(/:\d*$/, '');
      if (!/^[\w.-]+$/.test(name)) return [];
      return [
        setting('Allow the name', 'ALLOWED_HOSTS', name),
        advice(
          'Or, where back ends in containers use it beside the browser, say so (BACKCHANNEL_URL): the issuer stays the same for both.',
          environment('BACKCHANNEL_URL', `http://${error.sent}`),
        ),
      ];
    },
    insteadOfFix: '',
  },
  cors_not_offered: {
    title: 'Scripts of other origins may not call {path}',
    why: ({ error }) =>
      `${shown(error.sent ?? 'A page', 80)} called an address that is for browsers to open, or for back ends. The browser keeps the answer from the script, whatever CORS_ORIGINS says.`,
    fix: 'Scripts of other origins may not call this address. Where a page is behind it, send the browser there: a link, a form or location.assign, never fetch. Call the rest from your back end.',
    rfc: 'RFC 6749 §3.1',
    compare: compareDescribed({
      sentLabel: 'Origin of the page',
      sent: 'another origin',
      expected: 'a navigation, or a call from a back end',
    }),
    references: ['RFC 6454 §4'],
  },
  not_offered: {
    title: '{path} is not offered here',
    fix: 'Switch it on with FEATURES, or do without: the discovery document says what is offered.',
    rfc: 'RFC 9110 §15.6.2',
    fixes: ({ error }) =>
      /^FEATURES[= ]/.test(error.expected ?? '')
        ? [setting('Switch it on', 'FEATURES', (error.expected ?? '').replace(/^FEATURES[= ]/, ''))]
        : [],
  },
  path_unknown: {
    title: 'There is nothing at {sent}',
    why: 'No endpoint and no page has this path. Paths are compared character by character, with upper and lower case and the slash at the end.',
    fix: 'Take the addresses of the endpoints from the discovery document.',
    rfc: 'RFC 8414 §3',
    compare: ({ error, known }) => {
      if (isAddress(error.expected)) return compareText(error.sent ?? '', [new URL(error.expected).pathname]);
      const all = [...new Set(known.endpoints.map(({ path }) => path))];
      const near = nearestNames(error.sent ?? '', all);
      return compareText(error.sent ?? '', near.length === 0 ? [error.expected ?? ''] : near, {
        expectedLabel: near.length === 0 ? 'Expected' : 'Nearest',
      });
    },
    fixes: ({ error, known }) => [
      ...(isAddress(error.expected) ? [advice('Take the address of this sandbox.', inApp(error.expected))] : []),
      advice('Let the library read the discovery document.', {
        where: 'curl',
        code: `curl ${known.issuer}/.well-known/openid-configuration`,
      }),
    ],
  },
  method_not_allowed: {
    title: '{path} does not answer to {sent}',
    why: refused =>
      refused.error.sent === 'GET' && isPage(refused)
        ? 'A browser opened an address that is for programs: they send a POST.'
        : 'The method is part of the request: another one means something else.',
    fix: 'Use a method the Allow header of the answer names.',
    rfc: 'RFC 9110 §15.5.6',
    compare: compareListed(', '),
    fixes: refused => (refused.request?.endpoint === 'logout' ? logOutElsewhere(refused) : []),
  },
} as const satisfies ReasonEntries;

/** Other servers end sessions at this path; an address of the application that is not registered would be refused next. */
function logOutElsewhere(refused: Case): readonly ProposedFix[] {
  if (!refused.known.endpoints.some(({ name }) => name === 'end_session')) return [];
  const { client, parameters } = refused;
  const uri = parameters.get('post_logout_redirect_uri');
  const isWelcome = uri === undefined || (client !== undefined && allowsPostLogoutRedirectUri(client, uri));
  const address = inApp(endpointUrl(refused, 'end_session'));
  const mended = isWelcome ? [] : mendAddress(refused, 'post_logout_redirect_uri');
  return [advice('Take the logout endpoint of this sandbox.', address), ...mended];
}

function isPage(refused: Case): boolean {
  return sentHeader(refused, 'accept')?.includes('text/html') === true;
}

/** An endpoint that goes by another name here. */
function isAddress(expected: string | undefined): expected is string {
  return expected !== undefined && URL.canParse(expected);
}
