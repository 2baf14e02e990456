import type { ClientEntry } from '../../../config/sandbox-config.ts';
import { redirectUriFault } from '../../../config/uri.ts';
import { at, type ExportPart, listIn, textIn, textsIn } from '../../../import/members.ts';

type RedirectMembers = Pick<
  ClientEntry,
  'redirect_uris' | 'post_logout_redirect_uris' | 'loopback_redirects' | 'web_origins' | 'client_uri'
>;

interface Kept {
  readonly uris: readonly string[];
  /** A pattern for this machine was among them. */
  readonly isLoopback: boolean;
}

/** Addresses of a client. Redirect URIs are compared whole here, so that a `*` at the end cannot be kept. */
export function redirectMembers(found: ExportPart, needsRedirect: boolean): RedirectMembers {
  const root = absolute(at(found, 'rootUrl')) ?? absolute(at(found, 'baseUrl'));
  const base = textIn(at(found, 'baseUrl'));
  const login = keptUris(listIn(at(found, 'redirectUris')), root);
  const logout = logoutUris(found, login, root);
  const origins = webOrigins(at(found, 'webOrigins'), [...login.uris, ...logout.uris]);
  const isMissing = needsRedirect && login.uris.length === 0 && !login.isLoopback;
  if (isMissing)
    found.notes.tell([...found.path, 'redirectUris'], 'no redirect URI is left, so any on this machine is accepted');
  return {
    ...(login.uris.length > 0 && { redirect_uris: login.uris }),
    ...((login.isLoopback || logout.isLoopback || isMissing) && { loopback_redirects: true }),
    ...(logout.uris.length > 0 && { post_logout_redirect_uris: logout.uris }),
    ...(origins.length > 0 && { web_origins: origins }),
    ...(base !== undefined && /^https?:/i.test(base) && { client_uri: base }),
  };
}

function absolute(found: ExportPart): string | undefined {
  const text = textIn(found);
  return text !== undefined && URL.canParse(text) ? text.replace(/\/$/, '') : undefined;
}

const loopbackPattern = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:[\d*]+)?(\/.*)?$/;

function keptUris(items: readonly ExportPart[], root: string | undefined): Kept {
  const uris = new Set<string>();
  let isLoopback = false;
  for (const item of items) {
    const text = textIn(item) ?? '';
    const uri = text.startsWith('/') && root !== undefined ? root + text : text;
    isLoopback ||= uri === '*' || (uri.includes('*') && loopbackPattern.test(uri));
    const fault = faultOf(uri, root);
    if (fault === undefined) uris.add(uri);
    else if (fault !== '') item.notes.tell(item.path, fault);
  }
  return { uris: [...uris], isLoopback };
}

/** Empty for one of which there is nothing to tell. */
function faultOf(uri: string, root: string | undefined): string | undefined {
  if (uri === '') return '';
  return uri.includes('*') ? patternFault(uri) : relativeFault(uri, root);
}

/** Empty for a pattern that `loopback_redirects` replaces. */
function patternFault(uri: string): string {
  if (loopbackPattern.test(uri)) return '';
  if (uri === '*') return 'a lone `*` was replaced by `loopback_redirects: true`: list the addresses on other machines';
  const example = `${uri.replace(/\/?\*.*$/s, '').slice(0, 200)}/callback`;
  return `a pattern cannot be kept: write each address to \`redirect_uris\`, such as ${JSON.stringify(example)}`;
}

function relativeFault(uri: string, root: string | undefined): string | undefined {
  if (uri.startsWith('/') && root === undefined)
    return 'left out, because a relative URI needs an absolute `rootUrl` or `baseUrl`: write the whole address to `redirect_uris`';
  const fault = redirectUriFault(uri);
  return fault && `left out: expected ${fault}`;
}

/** In one text, separated by `##`. A `+` stands for the redirect URIs. */
function logoutUris(found: ExportPart, login: Kept, root: string | undefined): Kept {
  const attribute = at(at(found, 'attributes'), 'post.logout.redirect.uris');
  const parts = (textIn(attribute) ?? '').split('##').filter(part => part !== '' && part !== '-');
  const own = keptUris(
    parts.filter(part => part !== '+').map(value => ({ ...attribute, value })),
    root,
  );
  if (!parts.includes('+')) return own;
  return { uris: [...new Set([...login.uris, ...own.uris])], isLoopback: own.isLoopback };
}

/** Origins besides those of the redirect URIs, which are allowed anyway, as a `+` says. */
function webOrigins(found: ExportPart, uris: readonly string[]): readonly string[] {
  const ofUris = new Set(uris.filter(uri => /^https?:/i.test(uri)).map(uri => new URL(uri).origin));
  const texts = textsIn(found);
  if (texts.includes('*'))
    found.notes.tell(
      found.path,
      'a `*` cannot be kept: list other origins than those of this machine in `web_origins`',
    );
  return texts.filter(text => text !== '+' && text !== '*' && !ofUris.has(text));
}
