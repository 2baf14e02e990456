import { bikeShop, lessonApi } from '../bike-shop.ts';
import { chain } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

export const lesson: BuiltInLesson = {
  issuer: {
    ...bikeShop,
    clients: [
      ...(bikeShop.clients ?? []),
      {
        client_id: 'shop-api',
        client_name: 'API of the bike shop',
        client_secret: 'pump',
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['client_credentials'],
        audience: lessonApi,
      },
    ],
    apiTokenCheck: 'local',
  },
  tasks: [
    {
      id: 'logout',
      close: {
        sub: 'That was not Bob. Sign him in.',
        sid: 'The shop and the demo app were signed in one after the other, not at once. Sign in to the shop again, then to the demo app, and sign out with the new ID token.',
      },
      checks: [
        chain(
          {
            type: 'login.succeeded',
            client_id: 'bike-shop',
            sub: 'bob',
            as: 'login',
            next: 'sign in to the shop as Bob',
          },
          { type: 'app.signed_in', client_id: 'demo-app', sub: 'bob' },
          {
            type: 'session.ended',
            client_id: 'bike-shop',
            sid: { $: 'login.sid' },
            next: 'sign out with the ID token of the shop',
          },
        ),
      ],
    },
    {
      id: 'told',
      // the notice alone is the work of the server
      checks: [
        chain(
          { type: 'logout.notified', channel: 'back', client_id: 'demo-app', status: 200 },
          {
            type: 'request.completed',
            endpoint: 'demo_app',
            method: 'GET',
            path: { endsWith: '/demo-app' },
            status: 200,
            next: 'reload the demo app',
          },
        ),
      ],
    },
    {
      id: 'silent',
      checks: [
        chain(
          { type: 'session.ended', client_id: 'bike-shop' },
          { type: 'error.returned', endpoint: 'authorize', client_id: 'bike-shop', reason: 'login_required' },
        ),
      ],
    },
    {
      id: 'alive',
      checks: [
        chain(
          { type: 'token.issued', client_id: 'bike-shop', tokenType: 'access', as: 'token' },
          { type: 'session.ended', client_id: 'bike-shop' },
          { type: 'token.used', endpoint: 'api', tokenId: { $: 'token.tokenId' } },
        ),
      ],
    },
    {
      id: 'ask',
      checks: [
        chain(
          { type: 'token.issued', client_id: 'bike-shop', tokenType: 'access', as: 'token' },
          { type: 'session.ended', client_id: 'bike-shop' },
          { type: 'token.introspected', client_id: 'shop-api', state: 'revoked', about: { $: 'token.tokenId' } },
        ),
      ],
    },
  ],
};
