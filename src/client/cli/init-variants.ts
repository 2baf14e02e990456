import type { SnippetClient, SnippetFacts } from '../../dashboard/snippets/snippet-facts.ts';

/** A kind of app, which becomes a client in a new `clients.config.ts`. */
export interface Variant {
  /** The argument that selects it: `react`. */
  readonly name: string;
  /** The kind of app, for a comment: `A React app with oidc-client-ts`. */
  readonly title: string;
  /** The kind of SDK that the app has; absent: a provider has none for it. */
  readonly kind?: 'browser' | 'server' | 'api' | 'service';
  /** The snippet with the SDK of a provider, if it is among those of `application`. */
  readonly sdk?: string;
  /** Default: `Configuration of the application`. */
  readonly leadIn?: string;
  /** The snippet with its entry in `clients`. */
  readonly client: string;
  /** The snippets with the matching configuration of the app, or with commands to try it. */
  readonly application: readonly string[];
  readonly facts: SnippetFacts;
}

const issuer = 'http://localhost:9000';
const at = {
  token: `${issuer}/oauth2/token`,
  jwks: `${issuer}/oauth2/jwks`,
  authorize: `${issuer}/oauth2/authorize`,
  discovery: `${issuer}/.well-known/openid-configuration`,
};

const project: SnippetFacts = {
  iss: issuer,
  issuer,
  at,
  behind: at,
  hasOwnCa: false,
  loginMode: 'picker',
  canRegister: true,
  api: { url: `${issuer}/api/tasks`, scope: 'tasks:read', method: 'GET', body: '' },
};

const variantList: readonly Variant[] = [
  {
    name: 'react',
    title: 'A React app (Vite) with oidc-client-ts or react-oidc-context',
    client: 'public-client',
    kind: 'browser',
    application: ['spa'],
    facts: { ...project, spa: frontEnd('react', 'React app', 'http://localhost:5173') },
  },
  {
    name: 'angular',
    title: 'An Angular app with angular-auth-oidc-client',
    client: 'public-client',
    kind: 'browser',
    application: ['angular'],
    facts: { ...project, spa: frontEnd('angular', 'Angular app', 'http://localhost:4200') },
  },
  {
    name: 'vue',
    title: 'A Vue app (Vite) with oidc-client-ts',
    client: 'public-client',
    kind: 'browser',
    application: ['spa'],
    facts: { ...project, fromEnvironment: true, spa: frontEnd('vue', 'Vue app', 'http://localhost:5173') },
  },
  {
    name: 'nextjs',
    title: 'A Next.js app with Auth.js',
    client: 'confidential-client',
    kind: 'server',
    application: ['next'],
    facts: {
      ...project,
      web: withSecret(application('nextjs', 'Next.js app', 'http://localhost:3000/api/auth/callback/grantbox')),
    },
  },
  {
    name: 'spring',
    title: 'A Spring Boot app with oauth2-client',
    client: 'confidential-client',
    application: ['spring-login'],
    facts: {
      ...project,
      web: withSecret(application('spring', 'Spring app', 'http://localhost:8080/login/oauth2/code/grantbox')),
    },
  },
  {
    name: 'express',
    title: 'A test caller for your own API in Express',
    leadIn: 'The API, and how to call it',
    client: 'api-caller-client',
    kind: 'api',
    application: ['express', 'call-api'],
    facts: { ...project, machine: service('api-caller', 'Caller of the API') },
  },
  {
    name: 'machine',
    title: 'A service that acts on its own behalf',
    leadIn: 'To try it',
    client: 'machine-client',
    kind: 'service',
    application: ['token'],
    facts: { ...project, machine: service('machine', 'Service') },
  },
  {
    name: 'mobile',
    title: 'A mobile or desktop app with AppAuth',
    client: 'installed-client',
    application: ['appauth'],
    facts: {
      ...project,
      spa: {
        ...application('mobile', 'Mobile app', 'com.example.app:/oauth2redirect'),
        postLogoutUri: 'com.example.app:/signed-out',
      },
    },
  },
];

/** Variants of `grantbox init` by their names. */
export const variants: ReadonlyMap<string, Variant> = new Map(variantList.map(variant => [variant.name, variant]));

function application(client_id: string, client_name: string, redirectUri: string): SnippetClient {
  return {
    client_id,
    client_name,
    method: 'none',
    redirectUri,
    anyLoopback: false,
    postLogoutUri: new URL('/', redirectUri).href,
    scope: 'openid profile email offline_access tasks:read tasks:write',
    audience: client_id,
    isOpaque: false,
  };
}

function frontEnd(client_id: string, client_name: string, origin: string): SnippetClient {
  return { ...application(client_id, client_name, `${origin}/callback`), anyLoopback: true };
}

function withSecret(client: SnippetClient): SnippetClient {
  return { ...client, client_secret: `${client.client_id}-secret`, method: 'client_secret_basic' };
}

function service(client_id: string, client_name: string): SnippetClient {
  return withSecret({
    client_id,
    client_name,
    method: 'none',
    redirectUri: '',
    anyLoopback: false,
    scope: 'tasks:read tasks:write',
    audience: 'http://localhost:4000',
    isOpaque: false,
  });
}
