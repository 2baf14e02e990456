import { isPublic, type RegisteredClient } from '../oauth/clients/client.ts';
import { parseScope } from '../oauth/scope.ts';
import { quote } from './curl.ts';
import type { DashboardOptions } from './dashboard-options.ts';

/** Something to paste, made from the running configuration. */
export interface Snippet {
  /** For anchors: `spa`. */
  readonly id: string;
  readonly name: string;
  /** What goes where, one sentence. */
  readonly words: string;
  readonly code: string;
}

interface Sources {
  readonly options: DashboardOptions;
  /** A public client that logs users in. */
  readonly app: RegisteredClient | undefined;
  /** A confidential client with client credentials. */
  readonly machine: RegisteredClient | undefined;
}

/** The snippets the registered clients allow. */
export function snippetsFor(options: DashboardOptions): Snippet[] {
  const sources = { options, app: loginClient(options), machine: machineClient(options) };
  return [spa(sources), react(sources), curl(sources), node(sources), spring(sources), environment(sources)].filter(
    snippet => snippet !== undefined,
  );
}

/** The client a front end would use. */
export function loginClient({ clients }: Pick<DashboardOptions, 'clients'>): RegisteredClient | undefined {
  return clients.find(client => isPublic(client) && client.grant_types.includes('authorization_code'));
}

function machineClient({ clients }: DashboardOptions): RegisteredClient | undefined {
  return clients.find(client => !isPublic(client) && client.grant_types.includes('client_credentials'));
}

const js = (value: string) => JSON.stringify(value);

function spa({ options, app }: Sources): Snippet | undefined {
  return (
    app && {
      id: 'spa',
      name: 'SPA, oidc-client-ts',
      words: 'Call signinRedirect() to log in and signinCallback() on the callback page.',
      code: `import { UserManager } from 'oidc-client-ts';

export const users = new UserManager({
  authority: ${js(options.issuer)},
  client_id: ${js(app.client_id)},
  redirect_uri: window.location.origin + '/callback',
  scope: ${js(app.scope)},
});`,
    }
  );
}

function react({ options, app }: Sources): Snippet | undefined {
  return (
    app && {
      id: 'react',
      name: 'React',
      words: 'onSigninCallback takes the code out of the address, so that it is not redeemed twice.',
      code: `import { AuthProvider } from 'react-oidc-context';

<AuthProvider
  authority=${js(options.issuer)}
  client_id=${js(app.client_id)}
  redirect_uri={window.location.origin + '/callback'}
  scope=${js(app.scope)}
  onSigninCallback={() => history.replaceState({}, '', location.pathname)}
>
  <App />
</AuthProvider>`,
    }
  );
}

function curl({ options: { issuer, endpoints, collections }, machine }: Sources): Snippet | undefined {
  const token = endpoints.find(({ name }) => name === 'token');
  if (machine === undefined || token === undefined) return undefined;
  const scopes = parseScope(machine.scope);
  const scope = scopes[0] === undefined ? '' : ` -d ${quote(`scope=${encodeURIComponent(scopes[0])}`)}`;
  const api = collections.find(
    ({ readScope, writeScope }) => scopes.includes(readScope ?? '') || scopes.includes(writeScope ?? ''),
  );
  const use =
    api === undefined ? '' : `\n\ncurl -H "Authorization: Bearer $ACCESS_TOKEN" ${quote(`${issuer}/api/${api.name}`)}`;
  return {
    id: 'curl',
    name: 'curl',
    words: 'A token without a user, by client credentials.',
    code: `curl -u ${quote(`${machine.client_id}:${machine.client_secret ?? ''}`)} -d grant_type=client_credentials${scope} \\\n  ${quote(new URL(issuer).origin + token.path)}${use}`,
  };
}

function node({ options, app }: Sources): Snippet | undefined {
  return (
    app && {
      id: 'node',
      name: 'Node, openid-client',
      words: 'allowInsecureRequests is for this sandbox: it speaks plain HTTP.',
      code: `import * as client from 'openid-client';

const config = await client.discovery(
  new URL(${js(options.issuer)}), ${js(app.client_id)}, undefined, client.None(),
  { execute: [client.allowInsecureRequests] },
);
const code_verifier = client.randomPKCECodeVerifier();
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: 'http://localhost:3000/callback',
  scope: ${js(app.scope)},
  code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
  code_challenge_method: 'S256',
});
// later, on the callback:
const tokens = await client.authorizationCodeGrant(config, currentUrl, { pkceCodeVerifier: code_verifier });`,
    }
  );
}

function spring({ options, app }: Sources): Snippet {
  const audience = app?.audience[0] ?? app?.client_id ?? '';
  return {
    id: 'spring',
    name: 'Spring resource server',
    words: 'application.properties of the API that receives the tokens. Scopes arrive as authorities SCOPE_….',
    code: `spring.security.oauth2.resourceserver.jwt.issuer-uri=${options.issuer}
spring.security.oauth2.resourceserver.jwt.audiences=${audience}`,
  };
}

function environment({ options, app, machine }: Sources): Snippet {
  const lines = [
    `OIDC_ISSUER=${quote(options.issuer)}`,
    ...(app === undefined ? [] : [`OIDC_CLIENT_ID=${quote(app.client_id)}`, `OIDC_SCOPE=${quote(app.scope)}`]),
    ...(machine === undefined
      ? []
      : [
          `MACHINE_CLIENT_ID=${quote(machine.client_id)}`,
          `MACHINE_CLIENT_SECRET=${quote(machine.client_secret ?? '')}`,
        ]),
  ];
  return {
    id: 'env',
    name: 'Env vars',
    words: 'For a framework that reads its provider from the environment.',
    code: lines.join('\n'),
  };
}
