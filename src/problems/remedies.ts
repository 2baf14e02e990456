import type { Case } from './case.ts';
import type { FixSnippet, ProposedFix } from './problem.ts';
import { clientLines, environment } from './source-text.ts';

/** Members of a client that ask more of it than of others. */
type Demand =
  | 'dpop_bound_access_tokens'
  | 'tls_client_certificate_bound_access_tokens'
  | 'require_pushed_authorization_requests'
  | 'require_signed_request_object'
  | 'require_consent';

/** Endpoints whose GET a browser can open again: nothing is used up by a refusal. */
const opened = new Set(['authorize', 'end_session']);

/** The address of a refused request that can be opened again, with its query; undefined for all others. */
export function openAgain({ request }: Pick<Case, 'request'>): string | undefined {
  if (request === undefined || request.method !== 'GET' || !opened.has(request.endpoint)) return undefined;
  const { url } = request.exchange;
  // of a path that is ours, and never of another host
  return url.startsWith('/') && !url.startsWith('//') && url.split('?', 1)[0] === request.path ? url : undefined;
}

/** Whether members of the client can be changed here: what it said of itself, it has to say again. */
export function isOurs({ client }: Case): boolean {
  return client?.origin === 'configuration';
}

/**
 * Changes members of the client at once, and goes on with what was refused. Without a button for a client that has described
 * itself.
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
  const next = refused.request?.endpoint === 'end_session' ? 'logout' : 'login';
  const label = thenContinue ? `${what} and continue the ${next}` : what;
  return {
    text: `${label}.`,
    apply: { label, change: { kind: 'client.patch', client_id, members }, thenContinue },
    snippets,
  };
}

/** Takes back a demand that the client is registered with; nothing where it is not. */
export function withoutDemand(refused: Case, what: string, member: Demand): readonly ProposedFix[] {
  return refused.client?.[member] === true ? [patchClient(refused, what, { [member]: false })] : [];
}

function ownWords({ client, who }: Case): string {
  return client?.origin === 'metadata_document'
    ? `in the document at ${who}, which this client describes itself by.`
    : 'this client registered itself, so it has to register again, or update what it has registered (RFC 7592).';
}

/** A setting that cures it, after a restart. */
export function setting(text: string, name: string, value: string): ProposedFix {
  return { text: `${text} (${name}), and start the sandbox again.`, snippets: [environment(name, value)] };
}

/** A sentence with something to copy. */
export function advice(text: string, ...snippets: readonly FixSnippet[]): ProposedFix {
  return { text, snippets };
}

/** The same way, after one that is likelier. */
export function secondary(fix: ProposedFix): ProposedFix {
  return fix.apply === undefined ? fix : { ...fix, apply: { ...fix.apply, isSecondary: true } };
}
