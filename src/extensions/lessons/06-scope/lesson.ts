import { bikeShop } from '../bike-shop.ts';
import { chain, seen } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

const [shop] = bikeShop.clients ?? [];

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
    { id: 'refused', checks: [seen({ type: 'error.returned', status: 403, reason: 'api_scope_insufficient' })] },
    {
      id: 'more',
      checks: [
        chain(
          { type: 'error.returned', reason: 'api_scope_insufficient' },
          { type: 'authorization.requested', scope: { includes: 'orders:read' } },
          { type: 'request.completed', endpoint: 'api', path: { includes: '/api/orders' }, status: 200 },
        ),
      ],
    },
    {
      id: 'consent',
      checks: [
        chain(
          { type: 'consent.granted', client_id: 'bike-shop', withheld: { empty: false } },
          { type: 'token.issued', tokenType: 'access', grant_type: 'authorization_code' },
          { by: 'client_id' },
        ),
      ],
    },
    {
      id: 'step-up',
      checks: [
        chain(
          { type: 'error.returned', status: 401, reason: 'api_authentication_too_old' },
          { type: 'login.succeeded', client_id: 'bike-shop' },
          { type: 'request.completed', endpoint: 'api', path: { includes: '/api/payments' }, status: 200 },
        ),
      ],
    },
  ],
};
