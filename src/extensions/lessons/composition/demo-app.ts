import type { Router } from 'express';
import { isPublic } from '../../../protocol/clients/client.ts';
import type { Issuer, RouteTools } from '../../../sandbox/extension.ts';
import { sendToSelf } from '../../../sandbox/self-request.ts';
import { contextOf } from '../../../server/http/request-context.ts';
import { createDemoApp } from '../demo-app/demo-app.ts';
import type { AppClient, SendToProvider } from '../demo-app/sign-in.ts';
import { keptFor } from '../learning.ts';

/** The demo application of an issuer. */
export function demoAppOf(issuer: Issuer, { base, views, control }: RouteTools): Router {
  const { server, events } = issuer;
  const { lab } = keptFor(issuer);
  const client_id = lab === undefined ? 'demo-app' : 'lab-app';
  const redirect_uri = `${server.issuer}/demo-app/callback`;
  const backchannel_logout_uri = `${server.issuer}/demo-app/back-channel-logout`;
  return createDemoApp({
    issuer: server.issuer,
    at: `${base}/demo-app`,
    client: () => registrationOf(issuer, client_id, redirect_uri),
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
    send: sendFrom(issuer),
    emit: (req, fact) => contextOf(req).emit(fact),
    render: page => views.page('lessons/demo-app', { page }),
    now: server.clock,
    onReset: listener => void events.overhear(event => event.type === 'sandbox.reset' && listener()),
  });
}

const publicApp = {
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  scope: 'openid profile email',
} as const;

/** Undefined for a client of that name that cannot come back to the application. */
function registrationOf({ server }: Issuer, client_id: string, redirect_uri: string): AppClient | undefined {
  const client = server.clients.get(client_id);
  if (client === undefined || !client.redirect_uris.includes(redirect_uri)) return undefined;
  const { client_secret, scope } = client;
  return { client_id, redirect_uri, scope, client_secret: isPublic(client) ? undefined : client_secret };
}

/** Every address of an issuer of this process is answered at its own socket. */
function sendFrom(issuer: Issuer): SendToProvider {
  return (url, request) => {
    const { host, pathname, search } = new URL(url);
    return sendToSelf(issuer, {
      method: request?.body === undefined ? 'GET' : 'POST',
      path: pathname + search,
      headers: { ...request?.headers, Host: host },
      body: request?.body ?? '',
    });
  };
}
