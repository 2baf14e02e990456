import { bikeShop } from '../bike-shop.ts';
import { chain, seen } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

const [shop] = bikeShop.clients ?? [];

const ordersRefused = {
  type: 'error.returned',
  status: 403,
  reason: 'api_scope_insufficient',
  request: { path: { includes: '/api/orders' } },
} as const;

const usedCode =
  'This code was used before. Open the address of this task for a new one, and put it into the box of the first task.';

export const lesson: BuiltInLesson = {
  issuer: {
    ...bikeShop,
    clients: [{ ...shop, client_id: 'bike-shop', scope: 'openid profile products:read orders:read' }],
    users: [
      { sub: 'alice', claims: { name: 'Alice Archer' }, access_token_claims: { roles: ['manager'] } },
      { sub: 'bob', claims: { name: 'Bob Brewer' }, access_token_claims: { roles: ['customer'] } },
    ],
    scopes: { 'products:read': 'see the products', 'orders:read': 'see the orders' },
    collections: {
      ...bikeShop.collections,
      orders: {
        readScope: 'orders:read',
        fields: { bike: 'string', price: 'number' },
        seed: [{ bike: 'City bike', price: 549 }],
      },
      payments: {
        readScope: 'orders:read',
        readMaxAge: 300,
        fields: { order: 'integer', card: 'string' },
        seed: [{ order: 1, card: 'ends in 4242' }],
      },
    },
  },
  drawing: 'scope-rings',
  tasks: [
    {
      id: 'refused',
      close: {
        path: 'That was not the API for the orders.',
      },
      checks: [seen(ordersRefused)],
    },
    {
      id: 'more',
      close: {
        api_scope_insufficient:
          'This token still has no `orders:read`. Sign in for it, exchange the new code, and use the new token.',
        code_replayed: usedCode,
      },
      checks: [
        chain(
          ordersRefused,
          {
            type: 'authorization.requested',
            scope: { includes: 'orders:read' },
            next: 'open the address of this task',
          },
          {
            type: 'token.issued',
            tokenType: 'access',
            scope: { includes: 'orders:read' },
            as: 'token',
            next: 'exchange the new code',
          },
          {
            type: 'token.used',
            endpoint: 'api',
            tokenId: { $: 'token.tokenId' },
            as: 'used',
            next: 'ask for the orders with the new token',
          },
          {
            type: 'request.completed',
            requestId: { $: 'used.requestId' },
            path: { includes: '/api/orders' },
            status: 200,
          },
        ),
      ],
    },
    {
      id: 'consent',
      close: {
        withheld: 'Take away the tick from *See the orders* only, and allow the rest.',
        code_replayed: usedCode,
      },
      checks: [
        chain(
          { type: 'consent.granted', client_id: 'bike-shop', withheld: { includes: 'orders:read' } },
          {
            type: 'token.issued',
            tokenType: 'access',
            grant_type: 'authorization_code',
            scope: 'openid profile products:read',
            next: 'exchange the code',
          },
          { by: 'client_id' },
        ),
      ],
    },
    {
      id: 'step-up',
      close: { code_replayed: usedCode },
      checks: [
        chain(
          {
            type: 'error.returned',
            status: 401,
            reason: 'api_authentication_too_old',
            next: 'move the clock, and ask for the payments',
          },
          { type: 'login.succeeded', client_id: 'bike-shop', next: 'open the address with max_age, and sign in' },
          {
            type: 'request.completed',
            endpoint: 'api',
            path: { includes: '/api/payments' },
            status: 200,
            next: 'exchange the code, and ask for the payments again',
          },
        ),
      ],
    },
  ],
};
