import { chain } from '../../checks/check.ts';
import type { BuiltInLesson } from '../../lesson.ts';
import { labAppIssuer, labSecondIssuer, resultOn } from '../lab-app.ts';

export { default as text } from './lesson.md';

export const lesson: BuiltInLesson = {
  issuer: labAppIssuer,
  lab: {
    second: labSecondIssuer,
    weak: { unprotected: ['iss'] },
    desk: {
      label: 'Alice chooses your server',
      async victim({ browser, second, see }) {
        const authorize = `${new URL(second).pathname}/oauth2/authorize`;
        const { url } = await browser.submitUntil(await browser.open('/demo-app'), 'app-sign-in-second', authorize);
        see('She arrives at your server', url.href);
        return url.search;
      },
      page: '<a href="{{second}}/oauth2/authorize{{query}}">Sign in</a>',
    },
    steps: [
      {
        id: 'begin',
        by: 'alice',
        async run(hands) {
          const authorize = `${new URL(hands.second).pathname}/oauth2/authorize`;
          const page = await hands.alice.open('/demo-app');
          const { url } = await hands.alice.submitUntil(page, 'app-sign-in-second', authorize);
          hands.keep('request', url.search);
          hands.see('The app sends Alice to the server of Mallory', url.href);
        },
      },
      {
        id: 'forward',
        by: 'mallory',
        async run(hands) {
          const link = `${hands.issuer}/oauth2/authorize${hands.kept('request')}`;
          hands.keep('link', link);
          hands.see('The server of Mallory sends Alice on', link);
        },
      },
      {
        id: 'login',
        by: 'alice',
        async run(hands) {
          const login = await hands.alice.open(hands.kept('link'));
          hands.see('The app', resultOn(await hands.alice.submit(login, 'login-user-alice')));
        },
      },
      {
        id: 'log',
        by: 'mallory',
        async run(hands) {
          for (const parameter of ['code', 'client_secret', 'code_verifier']) {
            hands.keep(parameter, hands.received(parameter));
            hands.see(`${parameter} in the log of Mallory`, hands.kept(parameter));
          }
        },
      },
      {
        id: 'redeem',
        by: 'mallory',
        async run(hands) {
          const form = {
            grant_type: 'authorization_code',
            client_id: 'lab-app',
            redirect_uri: `${hands.issuer}/demo-app/callback`,
            code: hands.kept('code'),
            client_secret: hands.kept('client_secret'),
            code_verifier: hands.kept('code_verifier'),
          };
          const { access_token = '', error } = (await hands.mallory.call('/oauth2/token', { form })).body;
          hands.see('Response', error ?? `access token of Alice ${access_token.slice(0, 24)}…`);
        },
      },
    ],
  },
  tasks: [
    {
      id: 'attack',
      checks: [
        chain(
          { type: 'lab.switched', isDefended: false },
          { type: 'code.issued', sub: 'alice', client_id: 'lab-app', as: 'code' },
          { type: 'app.code_sent', issuer: { includes: '-second' } },
          { type: 'token.issued', tokenType: 'access', parentTokenId: { $: 'code.tokenId' } },
        ),
      ],
    },
    {
      id: 'again',
      checks: [
        chain(
          { type: 'lab.switched', isDefended: true },
          { type: 'code.issued', sub: 'alice', client_id: 'lab-app' },
          { type: 'app.refused', client_id: 'lab-app', why: 'iss' },
        ),
      ],
    },
    {
      id: 'goal',
      checks: [
        chain(
          { type: 'code.issued', sub: 'alice', as: 'code', next: 'have Alice choose your server' },
          { type: 'request.completed', requestId: { $: 'code.requestId' }, by: 'victim' },
          { type: 'token.issued', tokenType: 'access', parentTokenId: { $: 'code.tokenId' }, as: 'token' },
          { type: 'token.used', endpoint: 'userinfo', tokenId: { $: 'token.tokenId' } },
        ),
      ],
    },
  ],
};
