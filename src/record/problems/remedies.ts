import type { Case } from './case.ts';
import type { FixSnippet, ProposedFix } from './problem.ts';
import { clientLines, environment } from './source-text.ts';

/** Members of a client that demand more of its requests. */
type Demand =
  | 'dpop_bound_access_tokens'
  | 'tls_client_certificate_bound_access_tokens'
  | 'require_pushed_authorization_requests'
  | 'require_signed_request_object'
  | 'require_consent';

/** Endpoints whose GET a browser can open again, because a refusal consumes nothing. */
const opened = new Set(['authorize', 'end_session']);

/** Returns the path and query of a refused request that a browser can open again; undefined for all others. */
export function openAgain({ request }: Pick<Case, 'request'>): string | undefined {
  if (request === undefined || request.method !== 'GET' || !opened.has(request.endpoint)) return undefined;
  const { url } = request.exchange;
  // only a path of this server, never a different host
  return url.startsWith('/') && !url.startsWith('//') && url.split('?', 1)[0] === request.path ? url : undefined;
}

/** Tells whether the sandbox may change the client. A client that registered itself must register again. */
export function isOurs({ client }: Case): boolean {
  return client?.origin === 'configuration';
}

/**
 * Proposes to change members of the client at once and to continue the refused request. A client that registered itself gets no
 * button.
 */
export function patchClient(
  refused: Case,
  what: string,
  members: Readonly<Record<string, unknown>>,
  more: readonly FixSnippet[] = [],
): ProposedFix {
  const { client } = refused;
  if (client === undefined) return { text: `${what}.`, snippets: more };
  const { client_id } = client;
  const snippets = [clientLines(client_id, members), ...more];
  if (!isOurs(refused)) return { text: `${what}: ${ownWords(refused)}`, snippets: more };
  const thenContinue = openAgain(refused) !== undefined;
  const next = refused.request?.endpoint === 'end_session' ? 'logout' : 'sign-in';
  const label = thenContinue ? `${what} and continue the ${next}` : what;
  return {
    text: `${label}.`,
    apply: { label, change: { kind: 'client.patch', client_id, members }, thenContinue },
    snippets,
  };
}

/** Proposes to remove a demand from the client; empty if the client does not have it. */
export function withoutDemand(refused: Case, what: string, member: Demand): readonly ProposedFix[] {
  return refused.client?.[member] === true ? [patchClient(refused, what, { [member]: false })] : [];
}

function ownWords({ client, who }: Case): string {
  return client?.origin === 'metadata_document'
    ? `in the metadata document at ${who}.`
    : 'this client registered itself, so it must register again or update its registration (RFC 7592).';
}

/** Proposes a setting, which needs a restart. */
export function setting(text: string, name: string, value: string): ProposedFix {
  return { text: `${text} (${name}), then restart the sandbox.`, snippets: [environment(name, value)] };
}

/** Proposes to keep all that a restart removes. */
export const keepState = setting(
  'Keep keys, sessions and refresh tokens in a file, so that an app goes on after a restart as if nothing had happened',
  'STATE_FILE',
  'state.json',
);

export function advice(text: string, ...snippets: readonly FixSnippet[]): ProposedFix {
  return { text, snippets };
}

/** Returns the fix with a button that is not the main one. */
export function secondary(fix: ProposedFix): ProposedFix {
  return fix.apply === undefined ? fix : { ...fix, apply: { ...fix.apply, isSecondary: true } };
}
