import { isPublic } from '../../../protocol/clients/client.ts';
import { onFirstVisit } from '../../../sandbox/composition/pages-beside.ts';
import type { Control } from '../../../sandbox/control/create-control.ts';
import type { Core } from '../../../sandbox/extension.ts';
import { sendToSelf } from '../../../sandbox/self-request.ts';
import type { AppOptions } from '../../../server/http/app.ts';
import { contextOf } from '../../../server/http/request-context.ts';
import type { Views } from '../../../server/http/views.ts';
import type { AppClient, SendToProvider } from '../demo-app/sign-in.ts';

interface DemoAppParts extends Core {
  readonly views: Views;
  /** The path of the issuer. */
  readonly base: string;
}

/** The demo application of an issuer, read on its first visit. */
export function demoAppOf(parts: DemoAppParts, control: () => Promise<Control>): AppOptions['demoApp'] {
  const { server, events, views, base, lab } = parts;
  const client_id = lab === undefined ? 'demo-app' : 'lab-app';
  const at = `${base}/demo-app`;
  const redirect_uri = `${server.issuer}/demo-app/callback`;
  const backchannel_logout_uri = `${server.issuer}/demo-app/back-channel-logout`;
  return onFirstVisit(async () => {
    const { createDemoApp } = await import('../demo-app/demo-app.ts');
    return createDemoApp({
      issuer: server.issuer,
      at,
      client: () => registrationOf(parts, client_id, redirect_uri),
      async register() {
        const told = server.features.has('backchannel-logout') ? { backchannel_logout_uri } : {};
        const members = {
          client_id,
          client_name: 'Demo application',
          redirect_uris: [redirect_uri],
          ...publicApp,
          ...told,
        };
        await (await control()).apply({ kind: 'client.create', members }, 'dashboard');
      },
      lab: lab && { unprotected: () => (lab.isDefended ? [] : (lab.weak.unprotected ?? [])), second: lab.second },
      send: sendFrom(parts),
      emit: (req, fact) => contextOf(req).emit(fact),
      render: page => views.demoApp(page),
      now: server.clock,
      onReset: listener => void events.overhear(event => event.type === 'sandbox.reset' && listener()),
    });
  });
}

const publicApp = {
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  scope: 'openid profile email',
} as const;

/** Undefined for a client of that name that cannot come back to the application. */
function registrationOf({ server }: Core, client_id: string, redirect_uri: string): AppClient | undefined {
  const client = server.clients.get(client_id);
  if (client === undefined || !client.redirect_uris.includes(redirect_uri)) return undefined;
  const { client_secret, scope } = client;
  return { client_id, redirect_uri, scope, client_secret: isPublic(client) ? undefined : client_secret };
}

/** Every address of an issuer of this process is answered at its own socket. */
function sendFrom(core: Core): SendToProvider {
  return (url, request) => {
    const { host, pathname, search } = new URL(url);
    return sendToSelf(core, {
      method: request?.body === undefined ? 'GET' : 'POST',
      path: pathname + search,
      headers: { ...request?.headers, Host: host },
      body: request?.body ?? '',
    });
  };
}
