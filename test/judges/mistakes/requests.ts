import { UnsecuredJWT } from 'jose';
import * as client from 'openid-client';
import type { Mistake } from './mistake.ts';
import { browser, createParty, loginParameters, signIn } from './party.ts';
import { callback, signer, signingKey, spa, type World } from './world.ts';

/** A login with these parameters. */
function logInWith(changes: Readonly<Record<string, string>>): Mistake['make'] {
  return async (world, me) => (await createParty(world, me)).logIn(changes);
}

/** What is asked of the authorization endpoint. */
export const requestMistakes: readonly Mistake[] = [
  {
    name: 'the implicit flow',
    me: spa('implicit'),
    make: logInWith({ response_type: 'token' }),
    code: 'response_type_unsupported',
    title: /^The response_type token is not offered$/,
    why: /tokens into the address of the browser/,
    sent: /^token$/,
    expected: /^code$/,
  },
  {
    name: 'a mistyped scope',
    me: spa('typo-scope'),
    make: logInWith({ scope: 'openid profil' }),
    code: 'scope_not_registered',
    title: /^Unknown scope profil$/,
    why: /This scope does not exist/,
    sent: /^openid profil$/,
    expected: /openid profile email/,
  },
  {
    name: 'a scope that is not registered',
    me: spa('more-scope'),
    make: logInWith({ scope: 'openid products:write' }),
    code: 'scope_not_registered',
    title: /^more-scope may not request scope products:write$/,
    why: /The scope exists here, but it is not registered for this client/,
    sent: /^openid products:write$/,
    expected: /openid profile email offline_access products:read/,
    press: /^Add products:write to more-scope and continue the sign-in$/,
  },
  {
    name: 'scopes with commas between',
    me: spa('commas'),
    make: logInWith({ scope: 'openid,profile' }),
    code: 'scope_not_registered',
    title: /^commas may not request scope openid,profile$/,
    why: /Spaces separate scopes\. This value has a different separator/,
    sent: /^openid,profile$/,
    expected: /openid profile email/,
  },
  {
    name: 'prompt=none without a session',
    me: spa('silent'),
    make: logInWith({ prompt: 'none' }),
    code: 'login_required',
    title: /^The user must sign in, but prompt=none forbids a sign-in page$/,
    why: /The browser sent no session cookie/,
    sent: /^no session cookie$/,
    expected: /^a session that fits this request$/,
  },
  {
    name: 'prompt=none in an iframe of another site',
    me: spa('framed'),
    async make(world, me) {
      const { url } = await (await createParty(world, me)).begin({ prompt: 'none' });
      const frame = browser(world, { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' });
      await signIn(world, url, frame);
    },
    settings: {},
    code: 'login_required',
    title: /^The user must sign in, but prompt=none forbids a sign-in page$/,
    why: /An iframe of a different site sent the request, without the session cookie\. Over plain HTTP the cookie is SameSite=Lax/,
    sent: /^no session cookie, from an iframe$/,
    expected: /^a session that fits this request$/,
    likely: true,
  },
  {
    name: 'prompt=none with a login that is too old',
    me: spa('old-login'),
    async make(world, me) {
      const party = await createParty(world, me);
      const agent = browser(world);
      await signIn(world, (await party.begin()).url, agent);
      world.pass(120);
      const { url, checks } = await party.begin({ prompt: 'none', max_age: '60' });
      return party.finish(await signIn(world, url, agent), checks);
    },
    code: 'login_required',
    title: /^The user must sign in, but prompt=none forbids a sign-in page$/,
    why: /A user is signed in, but the sign-in is older than max_age allows/,
    sent: /^a session cookie$/,
    expected: /^a session that fits this request$/,
  },
  {
    name: 'a request object that is not signed',
    me: spa('unsigned'),
    async make(world, me) {
      const { config } = await createParty(world, me);
      const { parameters } = await loginParameters();
      const request = new UnsecuredJWT({ ...parameters, client_id: me.client_id, response_type: 'code' }).encode();
      const url = client.buildAuthorizationUrl(config, { request, redirect_uri: callback, scope: 'openid' });
      await signIn(world, url);
    },
    code: 'request_object_unsigned',
    title: /^The request object is not signed$/,
    why: /With alg none anybody could have written the request object/,
    sent: /none/,
    expected: /ES256/,
  },
  {
    name: 'a resource that the login did not ask for',
    me: spa('resource'),
    async make(world, me) {
      const party = await createParty(world, me);
      const { url, checks } = await party.begin({ resource: 'https://orders.example/' });
      return party.finish(await signIn(world, url), checks, { resource: 'https://billing.example/' });
    },
    code: 'resource_invalid',
    title: /^The sign-in did not request the resource https:\/\/billing\.example\/$/,
    why: /may name fewer APIs than the sign-in, but no new ones/,
    sent: /^https:\/\/billing\.example\/$/,
    expected: /^https:\/\/orders\.example\/$/,
  },
];

/** A pushed request, and the address that it gives. */
async function push(world: World, me: Mistake['me']) {
  const { config } = await createParty(world, me);
  const { parameters } = await loginParameters();
  return client.buildAuthorizationUrlWithPAR(config, parameters);
}

/** Pushed authorization requests (RFC 9126). */
export const pushedMistakes: readonly Mistake[] = [
  {
    name: 'a pushed request that has expired',
    me: spa('late-push'),
    async make(world, me) {
      const url = await push(world, me);
      world.pass(90);
      await signIn(world, url);
    },
    code: 'request_uri_expired_or_unknown',
    title: /^The request_uri has expired$/,
    why: /The request was pushed 9\d s before\. A request_uri works only once, and for a short time/,
    sent: /^a request_uri that is 9\d s old$/,
    expected: /within the last 60 s/,
  },
  {
    name: 'a pushed request that is used twice',
    me: spa('push-twice'),
    async make(world, me) {
      const url = await push(world, me);
      await signIn(world, url);
      await signIn(world, url); // the browser went back
    },
    code: 'request_uri_expired_or_unknown',
    title: /^The request_uri was used before$/,
    why: /works only once, and this one was used [\d.]+ m?s before, in req_\w+\. The browser went back/,
    sent: /^used again in req_\w+$/,
    expected: /^used before in req_\w+$/,
  },
  {
    name: 'a pushed request of another client',
    me: spa('push-thief'),
    others: [spa('push-owner')],
    async make(world, me) {
      const url = await push(world, spa('push-owner'));
      url.searchParams.set('client_id', me.client_id);
      await signIn(world, url);
    },
    code: 'request_uri_of_another_client',
    title: /^push-thief sent a request_uri of a different client$/,
    why: /valid only for the client that pushed it/,
    sent: /^push-thief$/,
    expected: /^push-owner$/,
  },
  {
    name: 'a plain request where it has to be pushed',
    me: spa('must-push', { require_pushed_authorization_requests: true }),
    make: async (world, me) => (await createParty(world, me)).logIn(),
    code: 'request_not_pushed',
    title: /^must-push must push its authorization requests$/,
    why: /requires pushed requests/,
    sent: /^.*redirect_uri.*$/,
    expected: /^client_id and request_uri$/,
    press: /^Let must-push send unpushed requests and continue the sign-in$/,
  },
  {
    name: 'a plain request where it has to be signed',
    me: signer('must-sign', { require_signed_request_object: true }),
    make: async (world, me) =>
      (
        await createParty(world, me, { auth: client.PrivateKeyJwt({ key: signingKey.privateKey, kid: 'key-1' }) })
      ).logIn(),
    code: 'request_not_signed',
    title: /^must-sign must sign its authorization requests$/,
    why: /requires signed requests/,
    sent: /redirect_uri/,
    expected: /^request, a signed request object$/,
    press: /^Let must-sign send unsigned requests and continue the sign-in$/,
  },
];
