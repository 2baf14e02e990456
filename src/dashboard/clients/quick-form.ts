import type { QuickForm } from './client-list.ts';

/** The short form as it was sent. */
export function typedQuickForm(typed: URLSearchParams): QuickForm {
  const kind = typed.get('kind');
  return {
    client_id: (typed.get('client_id') ?? '').trim(),
    kind: kind === 'machine' || kind === 'confidential' ? kind : 'public',
    redirect_uris: typed.get('redirect_uris') ?? '',
    scope: typed.get('scope') ?? '',
    faults: {},
  };
}

/** The usual members for this kind of application. The page of the client has all others. */
export function quickMembers({ client_id, kind, redirect_uris, scope }: QuickForm): Readonly<Record<string, unknown>> {
  const uris = redirect_uris.split(/\s+/).filter(uri => uri !== '');
  const secret = kind === 'public' ? {} : { client_secret: `${client_id}-secret` };
  const scopes = scope.trim().replace(/\s+/g, ' ');
  const own = { client_id, ...secret, ...(scopes === '' ? {} : { scope: scopes }) };
  if (kind === 'machine') return { ...own, grant_types: ['client_credentials'] };
  const anywhere = uris.length === 0 ? { loopback_redirects: true } : { redirect_uris: uris };
  return { ...own, grant_types: ['authorization_code', 'refresh_token'], ...anywhere };
}
