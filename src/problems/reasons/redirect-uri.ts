import type { RegisteredClient } from '../../oauth/clients/client.ts';
import { type Case, shown } from '../case.ts';
import { compareUrls, registeredFor } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import type { Comparison, ProposedFix } from '../problem.ts';
import { advice, isOurs, patchClient } from '../remedies.ts';
import { inApp, literal } from '../source-text.ts';
import { type UrlPart, urlDifference } from '../url-difference.ts';
import { mendAddress, nearestAddress, sentAddress } from './client-address.ts';

/** Addresses a client may be answered at, and those that are not among them. */
export const redirectUriEntries = {
  redirect_uri_not_registered: {
    title: 'redirect_uri is not registered for {client}',
    why: refused => `${whyNot(sentUri(refused), registeredUris(refused))}${otherOwner(refused)}`,
    fix: "Add exactly this address to the client's redirect_uris: mind http or https, the port, and the slash at the end. No redirect happened, on purpose.",
    rfc: 'RFC 6749 §3.1.2.4',
    compare: compareRegistered,
    fixes: refused => [...mendAddress(refused, 'redirect_uri', relax(refused)), ...useOther(refused)],
    insteadOfFix: '',
    note: {
      title: 'Why we did not redirect',
      text: 'Sending the answer, even an error, to an address nobody registered would make this server an open redirector.',
    },
    references: ['RFC 6749 §4.1.2.1', 'RFC 9700 §4.1'],
  },
  redirect_uri_missing: {
    title: 'redirect_uri is missing',
    why: ({ error, who }) =>
      error.endpoint === 'token'
        ? 'The login was started with a redirect_uri, so the token request has to repeat it: that shows that the code came back to the app that asked.'
        : `Without it we would have to guess where to answer: ${who} has not exactly one address, or asks for openid, where the parameter is required.`,
    fix: 'Send the redirect_uri; it can be left out only where exactly one is registered.',
    rfc: 'RFC 6749 §3.1.2.3',
    reported: 'redirect_uri was missing',
    compare: ({ error }) => compareUrls('nothing', error.expected?.split('\n') ?? []),
    fixes: ({ error }) => {
      const uri = nearestAddress('', error.expected?.split('\n').filter(line => URL.canParse(line)) ?? []);
      return uri === undefined
        ? []
        : [advice('Send an address that is registered.', inApp(`redirect_uri: ${literal(uri)}`))];
    },
    references: ['OIDC Core §3.1.2.1'],
  },
  redirect_uri_mismatch: {
    title: 'The token request of {client} has another redirect_uri than the login',
    why: ({ error: { sent = '', expected = '' } }) =>
      `The code was issued to one address and is redeemed with another. ${partsInWords(sent, [expected])}A thief who had caught the code could not know the right one.`,
    fix: 'Send the same redirect_uri as in the authorization request, character by character: mind the slash at the end, and localhost against 127.0.0.1.',
    rfc: 'RFC 6749 §4.1.3',
    reported: 'A code was redeemed with another redirect_uri than its login had',
    compare: ({ error: { sent = '', expected = '' } }) =>
      compareUrls(sent, [expected], { about: 'of the authorization request' }),
    fixes: ({ error }) => [
      advice(
        'Send the redirect_uri of the login again, from the same variable.',
        inApp(`redirect_uri: '${error.expected ?? ''}'`),
      ),
    ],
    references: ['RFC 9700 §4.5'],
  },
} as const satisfies ReasonEntries;

function sentUri(refused: Case): string {
  return sentAddress(refused, 'redirect_uri');
}

/** Those it was compared with: what is registered now may be more. */
function registeredUris({ error }: Case): readonly string[] {
  const lines = error.expected?.split('\n') ?? [];
  return lines.filter(line => /^[a-z][a-z0-9+.-]*:/i.test(line));
}

function compareRegistered(refused: Case): Comparison {
  const registered = registeredUris(refused);
  return compareUrls(
    sentUri(refused),
    registered.length > 0 ? registered : [refused.error.expected ?? ''],
    registeredFor(refused),
  );
}

/** Why each part counts, for those that differ from the nearest. */
const partWords: Readonly<Record<UrlPart, string>> = {
  scheme: 'http and https are different addresses.',
  'user name': 'A user name in an address makes it another one.',
  host: 'The hosts differ.',
  port: 'The ports differ: a development server that finds its port taken moves to the next.',
  path: 'The paths differ.',
  'slash at the end': 'One ends in a slash, the other does not.',
  case: 'Upper and lower case count.',
  query: 'The query is part of the address.',
  fragment: 'An address with a fragment (#) cannot be registered at all.',
};

function whyNot(sent: string, registered: readonly string[]): string {
  const compared = 'We compare character by character.';
  if (registered.length === 0) return `No address is registered for it. ${compared}`;
  return `${partsInWords(sent, registered)}${compared}`;
}

function partsInWords(sent: string, registered: readonly string[]): string {
  const [nearest] = registered
    .map(url => ({ url, parts: urlDifference(sent, url).parts }))
    .sort((a, b) => a.parts.length - b.parts.length);
  if (nearest === undefined || nearest.parts.length === 0) return '';
  if (nearest.parts.length > 3) return 'It has little in common with what is expected. ';
  return nearest.parts.map(part => `${part === 'host' ? hostWords(sent, nearest.url) : partWords[part]} `).join('');
}

const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/?#]|$)/i;

function hostWords(a: string, b: string): string {
  const [one, other] = [loopback.exec(a)?.[1], loopback.exec(b)?.[1]];
  return one === undefined || other === undefined
    ? partWords.host
    : `${one} and ${other} are different strings, and browsers keep separate storage and cookies for the two.`;
}

/** Somebody else's address often means that the client_id is the wrong one. */
function otherOwner(refused: Case): string {
  const owner = ownerOf(refused);
  return owner === undefined
    ? ''
    : ` It is registered for ${shown(owner.client_id, 80)}: is the client_id the right one?`;
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
  return [patchClient(refused, `Let ${who} use any address on this machine`, { loopback_redirects: true })];
}

function useOther(refused: Case): readonly ProposedFix[] {
  const owner = ownerOf(refused);
  if (owner === undefined) return [];
  return [advice('Or use the client that this address belongs to.', inApp(`client_id: '${owner.client_id}'`))];
}
