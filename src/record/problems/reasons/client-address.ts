import { editDistance } from '../../../base/text/nearest.ts';
import {
  allowsPostLogoutRedirectUri,
  allowsRedirectUri,
  allowsRequestUri,
  type RegisteredClient,
} from '../../../protocol/clients/client.ts';
import { type Case, named, shown } from '../case.ts';
import { compareUrls } from '../compare.ts';
import type { ProposedFix } from '../problem.ts';
import { advice, openAgain, patchClient, secondary } from '../remedies.ts';
import { inApp, literal } from '../source-text.ts';
import { textOf, urlDifference } from '../url-difference.ts';

type AddressParameter = 'redirect_uri' | 'post_logout_redirect_uri' | 'request_uri';

interface AddressKind {
  /** The member of the client that lists its addresses. */
  readonly member: `${AddressParameter}s`;
  readonly allows: (client: RegisteredClient, uri: string) => boolean;
  readonly mayHaveFragment?: true;
}

const kinds: Readonly<Record<AddressParameter, AddressKind>> = {
  redirect_uri: { member: 'redirect_uris', allows: allowsRedirectUri },
  post_logout_redirect_uri: { member: 'post_logout_redirect_uris', allows: allowsPostLogoutRedirectUri },
  request_uri: { member: 'request_uris', allows: allowsRequestUri, mayHaveFragment: true },
};

/** Returns the whole address that the app sent. The event may have a cut one. */
export function sentAddress({ parameters, error }: Case, parameter: AddressParameter): string {
  return parameters.get(parameter) ?? error.sent ?? '';
}

/**
 * Proposes fixes for an unregistered address, the most likely first. A typo is to be corrected, so its main button does not register
 * it. `others` are more fixes.
 */
export function mendAddress(
  refused: Case,
  parameter: AddressParameter,
  others: readonly ProposedFix[] = [],
): readonly ProposedFix[] {
  const { client, who } = refused;
  if (client === undefined) return [];
  const { member, allows, mayHaveFragment = false } = kinds[parameter];
  const registered = client[member] ?? [];
  const sent = sentAddress(refused, parameter);
  if (allows(client, sent)) return [allowedMeanwhile(refused)];
  const added = { [member]: [...registered, sent] };
  const add = canBeRegistered(sent, mayHaveFragment) ? [patchClient(refused, `Add this URI to ${who}`, added)] : [];
  const near = nearestAddress(sent, registered);
  if (near === undefined) return [...add, ...others];
  const use = inApp(`${parameter}: ${literal(near)}`);
  return isMisspelt(sent, near)
    ? [
        advice(`Correct the address. \`${shown(near, 200)}\` is registered.`, use),
        ...[...add, ...others].map(secondary),
      ]
    : [...add, ...others, advice('Or send a registered address.', use)];
}

function allowedMeanwhile(refused: Case): ProposedFix {
  const again = openAgain(refused) === undefined ? 'Send the request again' : 'Open the request again';
  return advice(`${again}. ${named(refused.who)} may use the address now, so the request will be accepted.`);
}

/** Checks RFC 6749 §3.1.2 and OIDC Core §6.2. The configuration checks the other rules and reports them. */
function canBeRegistered(uri: string, mayHaveFragment: boolean): boolean {
  return URL.canParse(uri) && (mayHaveFragment || !uri.includes('#')) && !/^(javascript|data|file):/i.test(uri);
}

/** Returns the registered address with the fewest differences. */
export function nearestAddress(sent: string, registered: readonly string[]): string | undefined {
  const [nearest] = compareUrls(sent, registered).expected;
  return nearest === undefined ? undefined : textOf(nearest.value);
}

/** The most letters that a typo changes. */
const slip = 2;
/** Longer addresses are not compared letter by letter, because the time grows with the product of their lengths. */
const longest = 300;
/** Parts that an app may change on purpose, such as a port or a query. A difference in these is not a typo. */
const chosen: ReadonlySet<string> = new Set(['scheme', 'port', 'query', 'fragment']);

/** Whether an address differs from a registered one by a letter or two, by upper and lower case, or by the slash at the end. */
function isMisspelt(sent: string, registered: string): boolean {
  const { parts } = urlDifference(sent, registered);
  if (parts.length === 0 || parts.some(part => chosen.has(part)) || sent.length > longest) return false;
  return registered.length <= longest && editDistance(sent.toLowerCase(), registered.toLowerCase()) <= slip;
}
