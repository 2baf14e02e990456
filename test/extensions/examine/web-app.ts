import { served } from './served.ts';

/** Serves a web app without scripts, whose issuer is fixed. It compares `state`, and does not look at `iss`. Returns its address. */
export async function servedWebApp(
  issuer: () => string,
  { responseMode = 'query', scope }: { readonly responseMode?: 'query' | 'form_post'; readonly scope?: string } = {},
): Promise<string> {
  const url: string = await served({
    '/login': async () => {
      const query = {
        response_type: 'code',
        client_id: 'careful',
        redirect_uri: `${url}/callback`,
        response_mode: responseMode,
        ...(scope === undefined ? {} : { scope }),
      };
      const Location = `${issuer()}/oauth2/authorize?${new URLSearchParams({ ...query, state: 'of-this-browser' })}`;
      return { Location, 'Set-Cookie': 'state=of-this-browser; HttpOnly' };
    },
    async '/callback'({ cookie, form }) {
      if (!cookie.includes(`state=${form.get('state')}`)) return { Location: '/sorry' };
      const body = { grant_type: 'authorization_code', code: form.get('code') ?? '', redirect_uri: `${url}/callback` };
      const Authorization = `Basic ${btoa('careful:careful-secret')}`;
      const token = { method: 'POST', headers: { Authorization }, body: new URLSearchParams(body) };
      const { ok } = await fetch(`${issuer()}/oauth2/token`, token);
      return ok ? { Location: '/home', 'Set-Cookie': ['state=; Max-Age=0', 'user=alice'] } : { Location: '/sorry' };
    },
    '/home': async ({ cookie }) => (cookie.includes('user=alice') ? '<a href="/logout">Sign out</a>' : 'Who are you?'),
    '/sorry': async () => '<a href="/login">Sign in</a>',
  });
  return url;
}
