import { lessonApi } from '../../bike-shop.ts';
import { chain } from '../../checks/check.ts';
import { type LabBrowser, type LabHands, LabStop } from '../../lab/lab.ts';
import type { BuiltInLesson } from '../../lesson.ts';
import type { SolverPage } from '../../solver.ts';
import { labShop } from '../lab-shop.ts';

export { default as text } from './lesson.md';

const client_id = 'lab-television';
const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';

/** Alice denies if the page warns her, and allows if it does not. */
async function decide(alice: LabBrowser, page: SolverPage, see: LabHands['see']): Promise<void> {
  const isWarned = page.html.includes('data-testid="device-warning"');
  see('The page asks whether Alice started this herself', isWarned ? 'yes' : 'no');
  await alice.submit(page, isWarned ? 'device-deny' : 'device-allow');
  if (isWarned) throw new LabStop('Alice reads the question, and denies.');
  see('Alice', 'sees nothing wrong, and allows');
}

export const lesson: BuiltInLesson = {
  issuer: {
    ...labShop,
    clients: [
      {
        client_id,
        client_name: 'Television',
        token_endpoint_auth_method: 'none',
        grant_types: [grant_type],
        scope: 'openid profile products:read',
        access_token_lifetime: 3600,
        audience: lessonApi,
      },
    ],
    deviceCodeLifetime: 1800,
  },
  lab: {
    weak: { relax: ['device_warning'] },
    desk: {
      label: 'Alice opens your mail',
      victim: async () => undefined,
      page: '<p>Your television was signed out. <a href="{{issuer}}/oauth2/device_verification">Sign in again</a></p>',
      async arrives(page, { browser, see }) {
        if (!page.html.includes('data-testid="device-allow"'))
          throw new LabStop('The page shows Alice no code that she could allow.');
        await decide(browser, page, see);
      },
    },
    steps: [
      {
        id: 'start',
        by: 'mallory',
        async run(hands) {
          const form = { client_id, scope: 'openid profile products:read' };
          const { body } = await hands.mallory.call('/oauth2/device_authorization', { form });
          const { device_code = '', verification_uri_complete = '' } = body;
          hands.keep('device code', device_code);
          hands.keep('link', verification_uri_complete);
          hands.see(
            'The mail to Alice',
            `Your television was signed out. Please sign in again: ${verification_uri_complete}`,
          );
        },
      },
      {
        id: 'open',
        by: 'alice',
        async run(hands) {
          const login = await hands.alice.open(hands.kept('link'));
          const { html } = await hands.alice.submit(login, 'login-user-alice');
          hands.keep('page', html);
        },
      },
      {
        id: 'decide',
        by: 'alice',
        async run(hands) {
          await decide(hands.alice, { url: new URL(hands.kept('link')), html: hands.kept('page') }, hands.see);
        },
      },
      {
        id: 'poll',
        by: 'mallory',
        async run(hands) {
          const form = { grant_type, client_id, device_code: hands.kept('device code') };
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
          { type: 'device.requested', client_id },
          { type: 'device.approved', sub: 'alice' },
          { type: 'token.issued', tokenType: 'access', grant_type, sub: 'alice' },
          { by: 'authorizationId' },
        ),
      ],
    },
    {
      id: 'again',
      checks: [
        chain(
          { type: 'lab.switched', isDefended: true },
          { type: 'device.requested', client_id },
          { type: 'device.denied', sub: 'alice' },
          { type: 'error.returned', endpoint: 'token', reason: 'user_denied' },
          { by: 'authorizationId' },
        ),
      ],
    },
    {
      id: 'goal',
      checks: [
        chain(
          { type: 'device.requested', client_id },
          { type: 'device.approved', sub: 'alice', as: 'allowed', next: 'have Alice open your mail' },
          { type: 'request.completed', requestId: { $: 'allowed.requestId' }, by: 'victim' },
          { type: 'token.issued', tokenType: 'access', grant_type, sub: 'alice', as: 'token' },
          { type: 'token.used', endpoint: 'api', tokenId: { $: 'token.tokenId' } },
          { by: 'authorizationId' },
        ),
      ],
    },
  ],
};
