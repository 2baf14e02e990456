import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { type Case, named, shown } from '../case.ts';
import { compareUrls, registeredFor } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import type { Comparison, ProposedFix } from '../problem.ts';
import { advice, isOurs, patchClient } from '../remedies.ts';
import { inApp, literal } from '../source-text.ts';
import { type UrlPart, urlDifference } from '../url-difference.ts';
import { mendAddress, nearestAddress, sentAddress } from './client-address.ts';

/** Refused redirect URIs (RFC 6749 §3.1.2). */
export const redirectUriEntries = {
  redirect_uri_not_registered: {
    title: 'The redirect_uri is not registered for {client}',
    why: refused =>
      `${whyNot(sentUri(refused), registeredUris(refused))}${patternWords(refused)}${otherOwner(refused)}`,
    fix: "Add exactly this address to the client's redirect_uris. Check http or https, the port and the slash at the end. Previews with changing hosts need redirect_uri_patterns. The browser was not redirected, on purpose.",
    rfc: 'RFC 6749 §3.1.2.4',
    compare: compareRegistered,
    fixes: refused => [...mendAddress(refused, 'redirect_uri', relax(refused)), ...useOther(refused)],
    insteadOfFix: '',
    note: {
      title: 'Why we did not redirect',
      text: 'A server that sends even an error to an unregistered address is an open redirector.',
    },
    references: ['RFC 6749 §4.1.2.1', 'RFC 9700 §4.1'],
  },
  redirect_uri_missing: {
    title: 'The redirect_uri is missing',
    why: ({ error, who }) =>
      error.endpoint === 'token'
        ? 'The sign-in was started with a redirect_uri, so the token request must repeat it. This shows that the code came back to the app that started the sign-in.'
        : `${named(who)} has more than one registered address or none, or requests \`openid\`, which requires the parameter. The server does not guess where to send the response.`,
    fix: 'Send the redirect_uri. Leave it out only if exactly one is registered.',
    rfc: 'RFC 6749 §3.1.2.3',
    reported: 'The redirect_uri was missing',
    compare: ({ error }) => compareUrls('nothing', error.expected?.split('\n') ?? []),
    fixes: ({ error }) => {
      const uri = nearestAddress('', error.expected?.split('\n').filter(line => URL.canParse(line)) ?? []);
      return uri === undefined ? [] : [advice('Send a registered address.', inApp(`redirect_uri: ${literal(uri)}`))];
    },
    references: ['OIDC Core §3.1.2.1'],
  },
  redirect_uri_mismatch: {
    title: 'The token request of {client} and its sign-in have different redirect_uris',
    why: ({ error: { sent = '', expected = '' } }) =>
      `The code was issued for one address and redeemed with a different one. ${partsInWords(sent, [expected])}The check stops a thief who has the code but does not know the address.`,
    fix: 'Send the same redirect_uri as in the authorization request, character by character. Check the slash at the end, and localhost or 127.0.0.1.',
    rfc: 'RFC 6749 §4.1.3',
    reported: 'A code was redeemed with a different redirect_uri than its sign-in had',
    compare: ({ error: { sent = '', expected = '' } }) =>
      compareUrls(sent, [expected], { about: 'from the authorization request' }),
    fixes: ({ error }) => [
      advice(
        'Use the same variable for the redirect_uri of the sign-in and of the token request.',
        inApp(`redirect_uri: '${error.expected ?? ''}'`),
      ),
    ],
    references: ['RFC 9700 §4.5'],
  },
} as const satisfies ReasonEntries;

function sentUri(refused: Case): string {
  return sentAddress(refused, 'redirect_uri');
}

/** Addresses at the time of the refusal. More may be registered now. */
function registeredUris({ error }: Case): readonly string[] {
  const lines = error.expected?.split('\n') ?? [];
  return lines.filter(line => /^[a-z][a-z0-9+.-]*:/i.test(line));
}

/** The patterns of the client, if it has some: none of them fits. */
function patternWords({ client }: Case): string {
  const patterns = client?.redirect_uri_patterns ?? [];
  if (patterns.length === 0) return '';
  const shownPatterns = patterns.map(pattern => `\`${shown(pattern, 200)}\``).join(', ');
  return ` No pattern of the client fits, either: ${shownPatterns}. A \`*\` in a host is one label, in lower case.`;
}

function compareRegistered(refused: Case): Comparison {
  const registered = registeredUris(refused);
  return compareUrls(
    sentUri(refused),
    registered.length > 0 ? registered : [refused.error.expected ?? ''],
    registeredFor(refused),
  );
}

/** One sentence for each part that differs from the nearest registered address. */
const partWords: Readonly<Record<UrlPart, string>> = {
  scheme: 'http and https are different addresses.',
  'user name': 'A user name makes an address different.',
  host: 'The hosts differ.',
  port: 'The ports differ. A development server moves to the next port if its own is in use.',
  path: 'The paths differ.',
  'slash at the end': 'Only one of the two ends in a slash.',
  case: 'Upper and lower case count.',
  query: 'The query is part of the address.',
  fragment: 'An address with a fragment (#) cannot be registered at all.',
};

function whyNot(sent: string, registered: readonly string[]): string {
  const compared = 'We compare character by character.';
  if (registered.length === 0) return `The client has no registered address. ${compared}`;
  const words = partsInWords(sent, registered);
  return words.endsWith(verdict) ? words.trim() : `${words}${compared}`;
}

const verdict = 'this is probably the address of a different app. ';

function partsInWords(sent: string, registered: readonly string[]): string {
  const [nearest] = registered
    .map(url => ({ url, parts: urlDifference(sent, url).parts }))
    .sort((a, b) => a.parts.length - b.parts.length);
  if (nearest === undefined || nearest.parts.length === 0) return '';
  if (isElsewhere(sent, nearest)) {
    const same = nearest.parts.includes('scheme') ? 'Nothing' : 'Nothing but the scheme';
    return `${same} is the same: ${verdict}`;
  }
  if (nearest.parts.length > 3) return 'The two addresses have little in common. ';
  return nearest.parts.map(part => `${part === 'host' ? hostWords(sent, nearest.url) : partWords[part]} `).join('');
}

const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/?#]|$)/i;

/** True if host, port and path all differ: one verdict says more than a sentence about each. localhost and 127.0.0.1 are one machine. */
function isElsewhere(
  sent: string,
  { url, parts }: { readonly url: string; readonly parts: readonly UrlPart[] },
): boolean {
  if (loopback.test(sent) && loopback.test(url)) return false;
  const hasSamePort = !parts.includes('port') && URL.canParse(url) && new URL(url).port !== '';
  return parts.includes('host') && parts.includes('path') && !hasSamePort;
}

function hostWords(a: string, b: string): string {
  const [one, other] = [loopback.exec(a)?.[1], loopback.exec(b)?.[1]];
  return one === undefined || other === undefined
    ? partWords.host
    : `${one} and ${other} are different hosts. Browsers keep separate storage and cookies for each.`;
}

/** An address of a different client often means that the client_id is wrong. */
function otherOwner(refused: Case): string {
  const owner = ownerOf(refused);
  return owner === undefined
    ? ''
    : ` The address is registered for ${named(shown(owner.client_id, 80))}. Is the client_id right?`;
}

function ownerOf({ known, client, parameters }: Case): RegisteredClient | undefined {
  const uri = parameters.get('redirect_uri');
  if (uri === undefined) return undefined;
  return [...known.registered()].find(
    each => each.client_id !== client?.client_id && each.redirect_uris.includes(uri) && each.origin === 'configuration',
  );
}

function relax(refused: Case): readonly ProposedFix[] {
  const { client, who } = refused;
  if (client?.loopback_redirects !== false || !loopback.test(sentUri(refused)) || !isOurs(refused)) return [];
  return [patchClient(refused, `Let ${who} use any loopback address`, { loopback_redirects: true })];
}

function useOther(refused: Case): readonly ProposedFix[] {
  const owner = ownerOf(refused);
  if (owner === undefined) return [];
  return [advice('Or use the client that has this address.', inApp(`client_id: '${owner.client_id}'`))];
}
