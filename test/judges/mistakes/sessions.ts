import { request } from 'node:http';
import * as client from 'openid-client';
import { createAgent } from '../../support/agent.ts';
import type { Mistake } from './mistake.ts';
import { browser, createParty, signIn } from './party.ts';
import { callback, spa, type World } from './world.ts';

/** A login, and a logout with these parameters of its ID token. */
function logOut(parameters: (idToken: string) => Readonly<Record<string, string>>): Mistake['make'] {
  return async (world, me) => {
    const party = await createParty(world, me);
    const { id_token = '' } = await party.logIn();
    const url = client.buildEndSessionUrl(party.config, parameters(id_token));
    const page = await browser(world).open(url);
    if (page.status >= 400) throw new Error('not logged out');
  };
}

/** What a call by another host name is answered; fetch would not send it. */
function callAs({ url, answers }: World, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(`${url}/.well-known/openid-configuration`, { headers: { host } }, response => {
      const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
      (answers as Map<string, Headers>).set(String(response.headers['x-request-id']), new Headers(headers));
      response.resume().on('end', resolve);
    })
      .on('error', reject)
      .end();
  });
}

/** Logout (OIDC RP-Initiated Logout §2), names and origins. */
export const logoutMistakes: readonly Mistake[] = [
  {
    name: 'a return address that is not registered',
    me: spa('return'),
    make: logOut(id_token_hint => ({ id_token_hint, post_logout_redirect_uri: 'http://localhost:3000' })),
    code: 'post_logout_redirect_uri_mismatch',
    title: /^The post_logout_redirect_uri is not registered for return$/,
    why: /We compare character by character/,
    sent: /^http:\/\/localhost:3000$/,
    expected: /^http:\/\/localhost:3000\/ differs: slash at the end$/,
    press: /^Add this URI to return and continue the logout$/,
  },
  {
    name: 'a logout that says not whose it is',
    me: spa('no-hint'),
    async make(world) {
      // the user was removed from the storage before, so the app has no ID token any more
      const parameters = new URLSearchParams({ post_logout_redirect_uri: 'http://localhost:3000/' });
      await browser(world).open(`${world.url}/connect/logout?${parameters}`);
    },
    code: 'post_logout_redirect_uri_mismatch',
    title: /^The logout names a post_logout_redirect_uri but no client$/,
    why: /has neither id_token_hint nor client_id/,
    sent: /^http:\/\/localhost:3000\/$/,
    expected: /id_token_hint/,
  },
  {
    name: 'another host name',
    me: spa('container'),
    make: world => callAs(world, 'idp:9000'),
    code: 'host_not_allowed',
    title: /^The host idp:9000 is not allowed$/,
    why: /DNS rebinding/,
    sent: /^idp:9000$/,
    expected: /^localhost:\d+$/,
  },
  {
    name: 'an endpoint that is spelled by heart',
    me: spa('by-heart'),
    make: async (world, me) =>
      (await createParty(world, me, { metadata: { token_endpoint: `${world.url}/oauth/token` } })).logIn(),
    code: 'path_unknown',
    title: /^No endpoint has the path \/oauth\/token$/,
    why: /Paths are compared character by character/,
    sent: /^\/oauth\/token$/,
    expected: /^\/oauth2\/token$/,
  },
];

/** What nobody is told, and only looks strange. */
export const silentMistakes: readonly Mistake[] = [
  {
    name: 'a code that nobody redeems',
    me: spa('forgotten-code', { redirect_uris: ['http://localhost:3999/callback'] }),
    async make(world, me) {
      const { url } = await (await createParty(world, me)).begin({ redirect_uri: 'http://localhost:3999/callback' });
      await signIn(world, url); // nothing listens there
      world.pass(25);
    },
    settings: {},
    code: 'code_not_redeemed',
    title: /^forgotten-code got a code and never redeemed it$/,
    why: /no request for a token followed/,
    sent: /^http:\/\/localhost:3999\/callback$/,
    expected: /^POST to the token endpoint$/,
    likely: true,
  },
  {
    name: 'a browser that drops the cookie',
    me: spa('cookieless', { redirect_uris: [callback] }),
    async make(world, me) {
      const { url } = await (await createParty(world, me)).begin();
      const forgetful = createAgent(world.url, (address, init) => {
        const headers = new Headers(init.headers);
        headers.delete('cookie');
        return world.fetch(address, { ...init, headers });
      });
      await forgetful.submit(await forgetful.open(url), 'login-user-alice');
    },
    settings: {},
    code: 'cookie_dropped',
    title: /^The browser did not send the session cookie after a sign-in$/,
    why: /did not send the session cookie of the sign-in/,
    sent: /^grantbox_session/,
    expected: /^no cookie$/,
    likely: true,
  },
];
