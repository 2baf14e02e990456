import type { ConnectFacts, SnippetClient } from './facts.ts';
import { js, quoted } from './literals.ts';
import type { Snippet } from './snippet.ts';

/** Applications on a server that log users in. */
export function webApps(facts: ConnectFacts): readonly Snippet[] {
  const { web } = facts;
  if (web === undefined) return [];
  return [next(facts, web), openidClient(facts, web), flask(facts, web), aspNet(facts, web)];
}

const authJsPath = /^\/api\/auth\/callback\/([\w-]+)$/;

function next({ issuer }: ConnectFacts, client: SnippetClient): Snippet {
  const { origin, pathname } = parsed(client.redirectUri);
  const id = authJsPath.exec(pathname)?.[1] ?? 'grantbox';
  const secret =
    client.client_secret === undefined
      ? `client: { token_endpoint_auth_method: 'none' },`
      : `clientSecret: ${js(client.client_secret)},${client.method === 'client_secret_post' ? `\n      client: { token_endpoint_auth_method: 'client_secret_post' },` : ''}`;
  const callback = `${origin}/api/auth/callback/${id}`;
  const isAccepted = client.anyLoopback || authJsPath.test(pathname);
  return {
    id: 'next',
    family: 'web',
    title: 'Next.js, Auth.js',
    where: 'auth.ts',
    language: 'ts',
    code: `import NextAuth from 'next-auth';

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: ${js(id)},
      name: 'Grantbox',
      type: 'oidc',
      issuer: ${js(issuer)},
      clientId: ${js(client.client_id)},
      ${secret}
      checks: ['pkce', 'state'],
      idToken: false, // name and e-mail come from UserInfo
      authorization: { params: { scope: ${js(client.scope)} } },
    },
  ],
});

// app/api/auth/[...nextauth]/route.ts
// import { handlers } from '@/auth';
// export const { GET, POST } = handlers;
`,
    note: `It comes back to ${callback}${isAccepted ? '' : `, which is not registered for ${client.client_id} yet: add it to its redirect_uris`}. AUTH_SECRET has to be set: npx auth secret.`,
  };
}

const whoIsSignedIn = `const claims = tokens.claims();
  // name and e-mail come from UserInfo
  const user = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
  res.json({ ...claims, ...user });`;

function openidClient({ issuer, isPlainHttp }: ConnectFacts, client: SnippetClient): Snippet {
  const authentication = {
    none: 'client.None()',
    client_secret_basic: `client.ClientSecretBasic(${js(client.client_secret ?? '')})`,
    client_secret_post: `client.ClientSecretPost(${js(client.client_secret ?? '')})`,
  }[client.method];
  const { pathname } = parsed(client.redirectUri);
  return {
    id: 'node',
    family: 'web',
    title: 'Node, openid-client',
    where: 'server.mjs',
    language: 'js',
    code: `import express from 'express';
import * as client from 'openid-client';

const redirect_uri = ${js(client.redirectUri)};
const config = await client.discovery(
  new URL(${js(issuer)}),
  ${js(client.client_id)},
  undefined,
  ${authentication},${isPlainHttp ? '\n  { execute: [client.allowInsecureRequests] },' : ''}
);

// by state: keep them in the session of your application instead
const logins = new Map();
const app = express();

app.get('/login', async (_req, res) => {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  logins.set(state, pkceCodeVerifier);
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: ${js(client.scope)},
    state,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  res.redirect(url.href);
});

app.get(${js(pathname)}, async (req, res) => {
  const expectedState = String(req.query.state);
  const pkceCodeVerifier = logins.get(expectedState);
  logins.delete(expectedState);
  const answer = new URL(req.originalUrl, redirect_uri);
  const tokens = await client.authorizationCodeGrant(config, answer, { pkceCodeVerifier, expectedState });
  ${client.isOpenId ? whoIsSignedIn : 'res.json({ scope: tokens.scope });'}
});

app.listen(${portOf(client.redirectUri)});
`,
    note: isPlainHttp ? 'allowInsecureRequests is for this sandbox alone: it speaks plain HTTP.' : '',
  };
}

function flask({ at }: ConnectFacts, client: SnippetClient): Snippet {
  const { pathname } = parsed(client.redirectUri);
  const secret = client.client_secret === undefined ? '' : `\n    client_secret=${quoted(client.client_secret)},`;
  return {
    id: 'flask',
    family: 'web',
    title: 'Python, Authlib and Flask',
    where: 'app.py',
    language: 'python',
    code: `from authlib.integrations.flask_client import OAuth
from flask import Flask, jsonify

app = Flask(__name__)
app.secret_key = "for this machine only"

oauth = OAuth(app)
grantbox = oauth.register(
    "grantbox",
    server_metadata_url=${quoted(at.discovery)},
    client_id=${quoted(client.client_id)},${secret}
    client_kwargs={
        "scope": ${quoted(client.scope)},
        "code_challenge_method": "S256",
        "token_endpoint_auth_method": ${quoted(client.method)},
    },
)


@app.get("/login")
def login():
    return grantbox.authorize_redirect(${quoted(client.redirectUri)})


@app.get(${quoted(pathname)})
def callback():
    tokens = grantbox.authorize_access_token()
    return jsonify(${client.isOpenId ? 'grantbox.userinfo(token=tokens)' : '{"scope": tokens.get("scope")}'})


app.run(port=${portOf(client.redirectUri)})
`,
    note: 'Open the application under the host of the redirect URI: its session cookie belongs to it.',
  };
}

/** By default they are for HTTPS only, and the login ends in "Correlation failed". */
const cookiesOverHttp = `
        // the application speaks plain HTTP
        options.ResponseMode = "query";
        options.CorrelationCookie.SameSite = SameSiteMode.Lax;
        options.CorrelationCookie.SecurePolicy = CookieSecurePolicy.SameAsRequest;
        options.NonceCookie.SameSite = SameSiteMode.Lax;
        options.NonceCookie.SecurePolicy = CookieSecurePolicy.SameAsRequest;`;

function aspNet({ issuer, isPlainHttp }: ConnectFacts, client: SnippetClient): Snippet {
  const secret =
    client.client_secret === undefined ? '' : `\n        options.ClientSecret = ${quoted(client.client_secret)};`;
  const scopes = client.scope.split(' ').filter(scope => scope !== 'openid' && scope !== 'profile');
  const added = scopes.map(scope => `\n        options.Scope.Add(${quoted(scope)});`).join('');
  const { origin, pathname } = parsed(client.redirectUri);
  const cookies = origin.startsWith('https:') ? '' : cookiesOverHttp;
  return {
    id: 'aspnet',
    family: 'web',
    title: '.NET, OpenID Connect',
    where: 'Program.cs',
    language: 'csharp',
    code: `using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Authentication.OpenIdConnect;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddAuthorization();
builder.Services
    .AddAuthentication(options =>
    {
        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
    })
    .AddCookie()
    .AddOpenIdConnect(options =>
    {
        options.Authority = ${quoted(issuer)};${isPlainHttp ? '\n        options.RequireHttpsMetadata = false;' : ''}
        options.ClientId = ${quoted(client.client_id)};${secret}
        options.ResponseType = "code";
        options.CallbackPath = ${quoted(pathname)};${added}
        options.SaveTokens = true;
        options.GetClaimsFromUserInfoEndpoint = true;
        options.MapInboundClaims = false;${cookies}
    });

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/", (HttpContext context) => context.User.FindFirst("sub")?.Value).RequireAuthorization();
app.Run(${quoted(origin)});
`,
    note: 'NuGet: Microsoft.AspNetCore.Authentication.OpenIdConnect.',
  };
}

/** Of a redirect URI; one of a scheme of its own has nothing of that. */
function parsed(uri: string): { readonly origin: string; readonly pathname: string } {
  return /^https?:/i.test(uri) && URL.canParse(uri)
    ? new URL(uri)
    : { origin: 'http://localhost:3000', pathname: '/callback' };
}

function portOf(uri: string): number {
  const { port, protocol } = new URL(parsed(uri).origin);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
