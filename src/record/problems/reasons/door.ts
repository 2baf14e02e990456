import { allowsPostLogoutRedirectUri, type RegisteredClient } from '../../../protocol/clients/client.ts';
import { webOriginsOf } from '../../../protocol/clients/client-directory.ts';
import { type Case, sentHeader, shown } from '../case.ts';
import { compareDescribed, compareListed, compareText, compareUrls, compareWords, nearestNames } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import type { ProposedFix } from '../problem.ts';
import { advice, patchClient, setting } from '../remedies.ts';
import { endpointUrl, environment, inApp } from '../source-text.ts';
import { mendAddress } from './client-address.ts';

const switchFeature = 'Switch the feature on with FEATURES, or use one that the discovery document lists.';

/** The nearest offer for a call of a provider: a sentence, or the method and the path of a call. */
function insteadOfCall(expected: string): string {
  if (expected === '') return 'Use a call that the page of the provider in docs/providers/ lists.';
  if (expected.startsWith('FEATURES')) return switchFeature;
  return expected.endsWith('.') ? expected : `Use the nearest offer: ${expected}.`;
}

/** Requests that reach no endpoint, because of their host, origin, path or method. */
export const doorEntries = {
  /** The origin of the page is not on this machine, and no client or setting allows it. */
  cors_origin_refused: {
    title: 'A page from {sent} may not read the response',
    why: refused =>
      isRegistration(refused)
        ? `CORS_ORIGINS does not list this origin. A page from a different machine may not register clients, whatever the redirect URIs are. ${kept}`
        : `No redirect URI of a client has this origin, no client lists it in web_origins, and neither does CORS_ORIGINS. ${kept}`,
    fix: 'Add the origin of the page to web_origins of a client or to CORS_ORIGINS, as the browser sends it: scheme, host and port, without path or slash at the end.',
    rfc: 'RFC 6454 §7',
    compare: ({ error }) =>
      compareUrls(error.sent ?? '', originsIn(error.expected), {
        sentLabel: 'Origin of the page',
        expectedLabel: 'Allowed',
      }),
    fixes: refused => [...clientFixes(refused), listInSetting(refused)],
    references: ['RFC 6454 §4'],
  },
  host_not_allowed: {
    title: 'The host {sent} is not allowed',
    why: 'The sandbox serves only known host names. Otherwise a website whose name resolves to this machine could read its data (DNS rebinding).',
    fix: 'Call the sandbox by the address of its issuer. If containers or other machines use this name, add it to ALLOWED_HOSTS.',
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
          'Or set BACKCHANNEL_URL if back ends in containers use this name: browser and back ends keep the same issuer.',
          environment('BACKCHANNEL_URL', `http://${error.sent}`),
        ),
      ];
    },
    insteadOfFix: '',
  },
  host_missing: {
    title: 'The request has no `Host` header',
    why: 'HTTP/1.1 requires the header. Libraries send it by themselves, so this request was written by hand or changed by a proxy.',
    fix: 'Send the host and the port of the issuer in the header Host.',
    rfc: 'RFC 9112 §3.2',
    compare: ({ known }) => {
      const expected = `Host: ${new URL(known.issuer).host}`;
      return compareWords('no Host header', expected, { sentLabel: 'Sent', expectedLabel: 'Expected' });
    },
  },
  header_too_large: {
    title: 'The address and the headers of a request are too long',
    why: 'Node stops reading a request whose address and headers exceed the limit, so the sandbox does not know more of it. The cause is mostly a token with many claims, or cookies that other servers on the same host have set. Other servers have limits of 8 kB to 16 kB, too.',
    fix: 'Send fewer bytes: take claims out of the token, use opaque tokens, or delete the cookies of this host.',
    rfc: 'RFC 6585 §5',
    fixes: ({ known: { maxHeaderSize = 16_384 } }) => [
      advice(
        'Take claims out of the token, or set `access_token_format` of the client to `opaque`. Delete the cookies of this host if they are the cause.',
      ),
      setting('Accept longer requests', 'MAX_HEADER_SIZE', String(maxHeaderSize * 4)),
    ],
  },
  request_malformed: {
    title: 'A request could not be read: {sent}',
    fix: 'Use the address of the issuer with its scheme, and let an HTTP library write the request.',
    rfc: 'RFC 9112 §2.2',
    fixes: ({ error, known }) =>
      error.expected === 'http://'
        ? [
            advice('Write http:// in place of https:// in the address.', inApp(known.issuer)),
            setting('Or serve HTTPS', 'TLS', 'self-signed'),
          ]
        : [],
  },
  cors_not_offered: {
    title: 'Scripts from other origins may not call {path}',
    why: ({ error }) =>
      `${shown(error.sent ?? 'A page', 80)} called an address that only browsers or back ends may use. The browser hides the response from the script, whatever CORS_ORIGINS says.`,
    fix: 'Open a page of the sandbox with a link, a form or location.assign, not with fetch. Call other addresses from your back end.',
    rfc: 'RFC 6749 §3.1',
    compare: compareDescribed({
      sentLabel: 'Origin of the page',
      sent: 'a different origin',
      expected: 'a navigation, or a call from a back end',
    }),
    references: ['RFC 6454 §4'],
  },
  not_offered: {
    title: '{path} is not offered here',
    fix: switchFeature,
    rfc: 'RFC 9110 §15.6.2',
    insteadOfFix: ({ error }) => insteadOfCall(error.expected ?? ''),
    fixes: ({ error }) =>
      /^FEATURES[= ]/.test(error.expected ?? '')
        ? [setting('Switch it on', 'FEATURES', (error.expected ?? '').replace(/^FEATURES[= ]/, ''))]
        : [],
  },
  path_unknown: {
    title: 'No endpoint has the path {sent}',
    why: 'Paths are compared character by character, including upper and lower case and the slash at the end.',
    fix: 'Read the addresses of the endpoints from the discovery document.',
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
      ...(isAddress(error.expected) ? [advice('Use the address of this sandbox.', inApp(error.expected))] : []),
      advice('Let the library read the discovery document.', {
        where: 'curl',
        code: `curl ${known.issuer}/.well-known/openid-configuration`,
      }),
    ],
  },
  method_not_allowed: {
    title: '{path} does not accept {sent}',
    why: refused =>
      refused.error.sent === 'GET' && sentHeader(refused, 'accept')?.includes('text/html')
        ? 'A browser opened an address that programs call with POST.'
        : 'The endpoint accepts only the methods of the Allow header.',
    fix: 'Use a method from the Allow header of the response.',
    rfc: 'RFC 9110 §15.5.6',
    compare: compareListed(', '),
    fixes: refused => (refused.request?.endpoint === 'logout' ? logOutElsewhere(refused) : []),
  },
} as const satisfies ReasonEntries;

/** Proposes the logout endpoint, because other servers use this path. An unregistered address to return to would be refused next. */
function logOutElsewhere(refused: Case): readonly ProposedFix[] {
  if (!refused.known.endpoints.some(({ name }) => name === 'end_session')) return [];
  const { client, parameters } = refused;
  const uri = parameters.get('post_logout_redirect_uri');
  const isWelcome = uri === undefined || (client !== undefined && allowsPostLogoutRedirectUri(client, uri));
  const address = inApp(endpointUrl(refused, 'end_session'));
  const mended = isWelcome ? [] : mendAddress(refused, 'post_logout_redirect_uri');
  return [advice('Use the logout endpoint of this sandbox.', address), ...mended];
}

/** Tells whether the refusal names the address of the endpoint that is meant. */
function isAddress(expected: string | undefined): expected is string {
  return expected !== undefined && URL.canParse(expected);
}

const kept =
  'So the response has no Access-Control-Allow-Origin header, and the browser hides it from the script. A call from a back end would work.';

function isRegistration({ error: { endpoint } }: Case): boolean {
  return endpoint === 'registration' || endpoint === 'client_configuration';
}

function clientFixes(refused: Case): readonly ProposedFix[] {
  if (isRegistration(refused)) return [];
  const { sent = '' } = refused.error;
  const clients = [...refused.known.registered()];
  if (clients.some(client => webOriginsOf(client).includes(sent))) {
    return [advice('Pages of this origin may call now. Load the page again.')];
  }
  const client = clientToChange(refused, clients);
  if (client === undefined) return [];
  const web_origins = [...(client.web_origins ?? []), sent];
  return [patchClient({ ...refused, client }, `Add ${sent} to web_origins of ${client.client_id}`, { web_origins })];
}

/** Chooses the client to change. A preflight names none: then it is the configured client of the latest login, or the first one. */
function clientToChange(
  { client, error, known: { events } }: Case,
  clients: readonly RegisteredClient[],
): RegisteredClient | undefined {
  const configured = clients.filter(({ origin }) => origin === 'configuration');
  const ids = [client?.client_id, events.latest('authorization.requested', 1, error.id)[0]?.client_id];
  return ids.map(id => configured.find(({ client_id }) => client_id === id)).find(Boolean) ?? configured[0];
}

function listInSetting({ error: { sent = '', expected }, known }: Case): ProposedFix {
  const ofClients = new Set([...known.registered()].flatMap(webOriginsOf));
  const listed = originsIn(expected).filter(origin => !ofClients.has(origin));
  return setting('Allow the origin everywhere', 'CORS_ORIGINS', [...listed, sent].join(','));
}

function originsIn(expected = ''): readonly string[] {
  return expected.split(' or ').filter(each => /^(null$|[a-z][a-z0-9+.-]*:\/\/)/.test(each));
}
