import type { GrantType } from '../../../sandbox/config/client/client-config.ts';
import { bikeShop, lessonApi } from '../bike-shop.ts';
import { chain } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

const [shop] = bikeShop.clients ?? [];

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** An API that calls a different one: a client that may exchange tokens. */
const backend = {
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['client_credentials', tokenExchange] as readonly GrantType[],
  scope: 'stock:read stock:write',
  access_token_lifetime: 3600,
} as const;

const exchanged = { type: 'token.issued', tokenType: 'access', grant_type: tokenExchange, sub: 'bob' } as const;

/** Tokens in which an API acts for Bob. */
const own = { type: 'token.issued', tokenType: 'access', grant_type: 'client_credentials', as: 'own' } as const;
const delegated = { ...exchanged, request: { parameter: { actor_token: { $: 'own.token' } } } } as const;

export const lesson: BuiltInLesson = {
  issuer: {
    ...bikeShop,
    clients: [
      { ...backend, client_id: 'orders', client_name: 'Orders API', client_secret: 'bell', audience: lessonApi },
      {
        ...backend,
        client_id: 'stock',
        client_name: 'Stock API',
        client_secret: 'spoke',
        audience: 'https://suppliers.example',
      },
      {
        ...shop,
        client_id: 'bike-shop',
        scope: 'openid profile stock:read stock:write',
        audience: 'https://orders.example',
      },
    ],
    scopes: { 'stock:read': 'see the stock', 'stock:write': 'change the stock' },
    collections: {
      stock: {
        readScope: 'stock:read',
        writeScope: 'stock:write',
        fields: { bike: 'string', pieces: 'integer' },
        seed: [{ bike: 'City bike', pieces: 3 }],
      },
    },
  },
  tasks: [
    {
      id: 'forward',
      close: {
        api_id_token_sent: 'That was the ID token. The shop calls APIs with the `access_token`.',
      },
      checks: [
        chain(
          { type: 'token.issued', tokenType: 'access', client_id: 'bike-shop', sub: 'bob', as: 'token' },
          {
            type: 'error.returned',
            endpoint: 'api',
            reason: 'api_audience_mismatch',
            about: { $: 'token.tokenId' },
            next: 'send the access token to the stock API',
          },
        ),
      ],
    },
    {
      id: 'exchange',
      close: {
        api_audience_mismatch:
          'That was still Bob’s token for the orders API. Send the new one, from the response of the exchange.',
        audience_unknown: 'The server knows no such API. `audience` is the address in the command, up to `/api`.',
      },
      checks: [
        chain(
          { type: 'token.issued', tokenType: 'access', client_id: 'bike-shop', sub: 'bob', as: 'token' },
          {
            ...exchanged,
            client_id: 'orders',
            parentTokenId: { $: 'token.tokenId' },
            as: 'stock',
            next: 'exchange it',
          },
          {
            type: 'token.used',
            endpoint: 'api',
            tokenId: { $: 'stock.tokenId' },
            next: 'call the stock API with the new token',
          },
        ),
      ],
    },
    {
      id: 'act',
      close: {
        scope: 'The token may write, too. Ask for `scope=stock:read` alone.',
        actor_token: 'The actor token is the one that `orders` got for itself.',
        scope_widened:
          'The two tokens are the wrong way round: the subject token is Bob’s, the actor token that of `orders`.',
      },
      checks: [chain({ ...own, client_id: 'orders' }, { ...delegated, client_id: 'orders', scope: 'stock:read' })],
    },
    {
      id: 'wider',
      close: {
        subject_token: 'The subject token has to be the narrow one, with `act` in it.',
        grant_type: 'The exchange worked, so its subject token has both scopes. Take the narrow one, with `act` in it.',
      },
      checks: [
        chain(
          { ...own, client_id: 'orders' },
          { ...delegated, client_id: 'orders', scope: 'stock:read', as: 'narrow' },
          {
            type: 'error.returned',
            reason: 'scope_widened',
            request: { parameter: { subject_token: { $: 'narrow.token' }, scope: { includes: 'stock:write' } } },
            next: 'exchange the narrow token for a wider one',
          },
        ),
      ],
    },
    {
      id: 'chain',
      close: {
        parentTokenId: 'That was not the narrow token: its `act` is the beginning of the chain.',
        actor_token: 'The actor token is the one that `stock` got for itself.',
      },
      checks: [
        chain(
          {
            ...exchanged,
            client_id: 'orders',
            scope: 'stock:read',
            request: { parameter: { actor_token: { present: true } } },
            as: 'narrow',
          },
          { ...own, client_id: 'stock', next: 'get a token for `stock` itself' },
          {
            ...delegated,
            client_id: 'stock',
            parentTokenId: { $: 'narrow.tokenId' },
            next: 'exchange the narrow token',
          },
        ),
      ],
    },
  ],
};
