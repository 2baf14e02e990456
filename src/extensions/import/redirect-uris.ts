import { webOriginsOf } from '../../protocol/clients/client-directory.ts';
import { redirectPatternProblem } from '../../sandbox/config/redirect-pattern.ts';
import type { ClientEntry } from '../../sandbox/config/sandbox-config.ts';
import { redirectUriProblem } from '../../sandbox/config/uri.ts';
import { type ExportPart, tell, textIn } from './members.ts';

/** The addresses of a list that a client can have here. */
export interface KeptUris {
  readonly uris: readonly string[];
  readonly patterns: readonly string[];
  /** A pattern for this machine was among them. */
  readonly isLoopback: boolean;
}

const loopbackPattern = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:[\d*]+)?(\/.*)?$/;

/** Patterns are kept apart, because other addresses are compared whole. `root` is the base of relative ones. */
export function keptUris(items: readonly ExportPart[], root?: string): KeptUris {
  const uris = new Set<string>();
  const patterns = new Set<string>();
  let isLoopback = false;
  for (const item of items) {
    const text = textIn(item) ?? '';
    const uri = text.startsWith('/') && root !== undefined ? root + text : text;
    isLoopback ||= uri === '*' || (uri.includes('*') && loopbackPattern.test(uri));
    const problem = problemOf(uri, root);
    if (problem === undefined) (uri.includes('*') ? patterns : uris).add(uri);
    else if (problem !== '') tell(item, problem);
  }
  return { uris: [...uris], patterns: [...patterns], isLoopback };
}

/** Empty for one of which there is nothing to tell. */
function problemOf(uri: string, root: string | undefined): string | undefined {
  if (uri === '') return '';
  return uri.includes('*') ? patternProblem(uri) : relativeProblem(uri, root);
}

/** Empty for a pattern that `loopback_redirects` replaces, undefined for one that `redirect_uri_patterns` keeps. */
function patternProblem(uri: string): string | undefined {
  if (loopbackPattern.test(uri)) return '';
  if (uri === '*') return 'a lone `*` was replaced by `loopback_redirects: true`: list the addresses on other machines';
  if (redirectPatternProblem(uri) === undefined) return undefined;
  const example = `${uri.replace(/\/?\*.*$/s, '').slice(0, 200)}/callback`;
  return `a pattern cannot be kept: write each address to \`redirect_uris\`, such as ${JSON.stringify(example)}`;
}

function relativeProblem(uri: string, root: string | undefined): string | undefined {
  if (uri.startsWith('/') && root === undefined)
    return 'left out, because a relative URI needs an absolute `rootUrl` or `baseUrl`: write the whole address to `redirect_uris`';
  const problem = redirectUriProblem(uri);
  return problem && `left out: expected ${problem}`;
}

type AddressMembers = Pick<
  ClientEntry,
  | ('redirect_uris' | 'post_logout_redirect_uris' | 'loopback_redirects' | 'web_origins')
  | ('redirect_uri_patterns' | 'post_logout_redirect_uri_patterns')
>;

/** The addresses of a client. Origins of its redirect URIs are allowed anyway. */
export function addressMembers(
  { login, logout, origins }: Readonly<Record<'login' | 'logout', KeptUris>> & { readonly origins: readonly string[] },
  { place, isNeeded }: { readonly place: ExportPart; readonly isNeeded: boolean },
): AddressMembers {
  const isMissing = isNeeded && login.uris.length + login.patterns.length === 0 && !login.isLoopback;
  if (isMissing) tell(place, 'no redirect URI is left, so any on this machine is accepted');
  const patterns = { redirect_uri_patterns: login.patterns, post_logout_redirect_uri_patterns: logout.patterns };
  const known = new Set(
    webOriginsOf({ redirect_uris: login.uris, post_logout_redirect_uris: logout.uris, ...patterns }),
  );
  const others = origins.filter(origin => !known.has(origin));
  return {
    ...(login.uris.length > 0 && { redirect_uris: login.uris }),
    ...((login.isLoopback || logout.isLoopback || isMissing) && { loopback_redirects: true }),
    ...(logout.uris.length > 0 && { post_logout_redirect_uris: logout.uris }),
    ...Object.fromEntries(Object.entries(patterns).filter(([, kept]) => kept.length > 0)),
    ...(others.length > 0 && { web_origins: others }),
  };
}
