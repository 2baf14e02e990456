import type { ClientEntry } from '../../../sandbox/config/sandbox-config.ts';
import { at, type ExportPart, listIn, tell, textIn, textsIn } from '../members.ts';
import { addressMembers, type KeptUris, keptUris } from '../redirect-uris.ts';

type RedirectMembers = ReturnType<typeof addressMembers> & Pick<ClientEntry, 'client_uri'>;

/** Addresses of a client of a realm. */
export function redirectMembers(found: ExportPart, isNeeded: boolean): RedirectMembers {
  const root = absolute(at(found, 'rootUrl')) ?? absolute(at(found, 'baseUrl'));
  const base = textIn(at(found, 'baseUrl'));
  const place = at(found, 'redirectUris');
  const login = keptUris(listIn(place), root);
  const logout = logoutUris(found, login, root);
  return {
    ...addressMembers({ login, logout, origins: webOrigins(at(found, 'webOrigins')) }, { place, isNeeded }),
    ...(base !== undefined && /^https?:/i.test(base) && { client_uri: base }),
  };
}

function absolute(found: ExportPart): string | undefined {
  const text = textIn(found);
  return text !== undefined && URL.canParse(text) ? text.replace(/\/$/, '') : undefined;
}

/** In one text, separated by `##`. A `+` stands for the redirect URIs. */
function logoutUris(found: ExportPart, login: KeptUris, root: string | undefined): KeptUris {
  const attribute = at(at(found, 'attributes'), 'post.logout.redirect.uris');
  const parts = (textIn(attribute) ?? '').split('##').filter(part => part !== '' && part !== '-');
  const own = keptUris(
    parts.filter(part => part !== '+').map(value => ({ ...attribute, value })),
    root,
  );
  if (!parts.includes('+')) return own;
  return {
    uris: [...new Set([...login.uris, ...own.uris])],
    patterns: [...new Set([...login.patterns, ...own.patterns])],
    isLoopback: own.isLoopback,
  };
}

/** Origins besides those of the redirect URIs, for which a `+` stands. */
function webOrigins(found: ExportPart): readonly string[] {
  const texts = textsIn(found);
  if (texts.includes('*'))
    tell(found, 'a `*` cannot be kept: list other origins than those of this machine in `web_origins`');
  return texts.filter(text => text !== '+' && text !== '*');
}
