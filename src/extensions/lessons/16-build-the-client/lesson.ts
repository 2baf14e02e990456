import { lessonApi } from '../bike-shop.ts';
import { type ChainStep, chain, seen } from '../checks/check.ts';
import type { Pattern } from '../checks/pattern.ts';
import type { BuiltInLesson, LessonTask } from '../lesson.ts';

export { default as text } from './lesson.md';

const client_id = 'bike-shop';

const access = { type: 'token.issued', client_id, tokenType: 'access' } as const;
const signedIn = { ...access, grant_type: 'authorization_code' } as const;
const refreshed = { ...access, grant_type: 'refresh_token' } as const;

type Parameters = NonNullable<NonNullable<Pattern['request']>['parameter']>;

/** A sign-in whose authorization request has these parameters, up to its access token. */
function signIn(
  parameter: Parameters,
  more: Pick<ChainStep, 'next' | 'without'> = {},
  name = 'good',
): [ChainStep, ChainStep, ChainStep] {
  return [
    { type: 'authorization.requested', client_id, request: { parameter }, ...more },
    { type: 'code.issued', client_id, as: `${name}Code` },
    {
      ...signedIn,
      parentTokenId: { $: `${name}Code.tokenId` },
      as: name,
      next: 'sign in once more, which must work',
    },
  ];
}

/** The response of a sign-in was bent, its code is never redeemed, and a later sign-in works. */
function refuses(fault: string, parameter: Parameters) {
  return chain(
    { type: 'code.issued', client_id, as: 'bad', next: 'order the response, and sign in' },
    { type: 'request.completed', requestId: { $: 'bad.requestId' }, faults: { includes: fault } },
    ...signIn(parameter, {
      without: {
        type: 'request.completed',
        endpoint: 'token',
        request: { parameter: { code: { $: 'bad.token' } } },
      },
      next: 'sign in once more, which must work',
    }),
  );
}

/** ID tokens had these defects, one after the other; no access token beside them is ever used, and that of a later sign-in is. */
function refusesIdTokens(defects: readonly string[], parameter: Parameters = {}) {
  const unused = (index: number): Pick<ChainStep, 'without'> =>
    index < 0 ? {} : { without: { type: 'token.used', tokenId: { $: `bad${index}.tokenId` } } };
  return chain(
    ...defects.flatMap((defect, index): readonly ChainStep[] => [
      {
        ...{ type: 'code.issued', client_id, as: `code${index}`, ...unused(index - 1) },
        next: 'order the next bad token, and sign in',
      },
      { ...signedIn, parentTokenId: { $: `code${index}.tokenId` }, as: `bad${index}` },
      { type: 'token.issued', tokenType: 'id', requestId: { $: `bad${index}.requestId` }, defect },
    ]),
    ...signIn(parameter, { ...unused(defects.length - 1), next: 'sign in once more, which must work' }),
    { type: 'token.used', endpoint: 'api', tokenId: { $: 'good.tokenId' }, next: 'sign in once more, which must work' },
  );
}

const before: readonly LessonTask[] = [
  {
    id: 'run',
    checks: [
      chain(
        { ...signedIn, sub: 'alice', as: 'token', next: 'sign in as Alice' },
        { type: 'token.used', endpoint: 'api', tokenId: { $: 'token.tokenId' } },
      ),
    ],
    close: { sub: 'That was Bob. Open the shop in a private window, and sign in as Alice.' },
  },
  {
    id: 'state',
    checks: [refuses('wrong_state', { state: { fresh: true } })],
    close: {
      without:
        'The `state` of the response was wrong, and your client redeemed its code. Compare it first: the second place `// 2`.',
      state: 'Your sign-in had no `state`, or the one of an earlier sign-in. Make a new one: the first place `// 2`.',
    },
  },
  {
    id: 'pkce',
    checks: [
      chain(
        ...signIn({ code_challenge: { fresh: true } }, {}, 'first'),
        ...signIn({ code_challenge: { fresh: true } }, { next: 'sign in a second time' }, 'second'),
      ),
    ],
    close: {
      code_challenge:
        'Your sign-in had no `code_challenge`, or the one of an earlier sign-in. Make a new verifier for each: the first place `// 3`.',
      pkce_method_unsupported: 'The `code_challenge_method` must be `S256`: the first place `// 3`.',
      pkce_missing: 'The challenge was sent, and the verifier was not. Send it with the code: the second place `// 3`.',
      pkce_mismatch:
        'The verifier is not the one of the challenge. Hash the verifier with SHA-256, write the hash in base64url, and keep the verifier until its code comes.',
    },
  },
  {
    id: 'iss',
    checks: [refuses('wrong_iss', {})],
    close: {
      without:
        'The response came from somebody else, and your client redeemed its code. Compare `iss` first: the place `// 4`.',
    },
  },
  {
    id: 'nonce',
    checks: [refusesIdTokens(['wrong_nonce'], { nonce: { fresh: true } })],
    close: {
      without:
        'The `nonce` in the ID token was wrong, and your client went on to the API. Compare it: the second place `// 5`.',
      nonce: 'Your sign-in had no `nonce`, or the one of an earlier sign-in. Make a new one: the first place `// 5`.',
    },
  },
  {
    id: 'id-token',
    checks: [
      refusesIdTokens(['bad_signature', 'wrong_issuer', 'wrong_audience', 'expired']),
      seen({ type: 'request.completed', endpoint: 'jwks', status: 200 }),
    ],
    close: {
      defect: 'This is not the next bad token. Order the four as they stand here, and go on with the next one.',
      without:
        'Your client believed a bad token, and went on to the API. The place `// 6` lacks its check: the signature, `iss`, `aud` or `exp`. Then order this token again.',
    },
  },
];
const after: readonly LessonTask[] = [
  {
    id: 'header',
    checks: [
      seen({
        type: 'request.completed',
        endpoint: 'api',
        status: 200,
        request: {
          parameter: { access_token: { present: false } },
          header: { Authorization: { startsWith: 'Bearer ' } },
        },
      }),
    ],
    close: {
      access_token: 'The access token is in the address of your call. Send it in the header alone: the place `// 7`.',
      status: 'The API did not accept this call. Send the token as `Authorization: Bearer …`: the place `// 7`.',
    },
  },
  {
    id: 'secret',
    checks: [chain(...signIn({ client_secret: { present: false } }))],
    close: {
      client_secret: 'The address of your sign-in has the `client_secret`. Leave it out: the place `// 8`.',
      client_secret_missing: 'The server did not get the secret. Leave it out at `// 8` alone: `ask` must send it.',
    },
  },
  {
    id: 'refresh',
    checks: [
      chain(
        {
          type: 'error.returned',
          endpoint: 'api',
          reason: 'api_token_expired',
          next: 'let six minutes pass, and reload the shop',
        },
        { ...refreshed, as: 'first', next: 'refresh when the API says 401' },
        { type: 'token.used', endpoint: 'api', tokenId: { $: 'first.tokenId' } },
        {
          type: 'error.returned',
          endpoint: 'api',
          reason: 'api_token_expired',
          about: { $: 'first.tokenId' },
          next: 'let six minutes pass again, and reload the shop',
        },
        { ...refreshed, as: 'second', next: 'refresh when the API says 401' },
        { type: 'token.used', endpoint: 'api', tokenId: { $: 'second.tokenId' } },
      ),
    ],
    close: {
      api_token_expired: 'The access token has expired, and your client did not refresh after that: the place `// 9`.',
      about:
        'Your client went back to an older access token. Keep the new tokens in `session.tokens`: the place `// 9`.',
      refresh_token_reused:
        'Your client sent a refresh token that was used up. Keep the new one in `session.tokens`: the place `// 9`. Then sign in again.',
      refresh_token_expired_or_unknown:
        'The server does not know this refresh token. Keep the new one in `session.tokens`: the place `// 9`. Then sign in again.',
    },
  },
  {
    id: 'logout',
    checks: [
      seen({
        type: 'session.ended',
        request: {
          parameter: { id_token_hint: { present: true }, post_logout_redirect_uri: { present: true } },
        },
      }),
    ],
    close: {
      id_token_hint: 'There was no `id_token_hint`, so the server had to ask. Send the ID token: the place `// 10`.',
      post_logout_redirect_uri:
        'The server does not know where to send the browser. Send `home` as `post_logout_redirect_uri`: the place `// 10`.',
      post_logout_redirect_uri_mismatch:
        'The server cannot tell that this `post_logout_redirect_uri` is of the shop. Send `home`, and the ID token as `id_token_hint`: the place `// 10`.',
    },
  },
  { id: 'report', checks: [seen({ type: 'client.reported', client_id, isClean: true })] },
];

export const lesson: BuiltInLesson = {
  issuer: {
    clients: [
      {
        client_id,
        client_name: 'Bike shop',
        client_secret: 'wheel-and-chain',
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: ['http://localhost:3000/callback'],
        post_logout_redirect_uris: ['http://localhost:3000/'],
        loopback_redirects: true,
        scope: 'openid profile orders:read',
        access_token_lifetime: 300,
        audience: lessonApi,
      },
    ],
    apiAudience: [lessonApi],
    users: [
      { sub: 'alice', claims: { name: 'Alice Archer' } },
      { sub: 'bob', claims: { name: 'Bob Brewer' } },
    ],
    scopes: { 'orders:read': 'see your orders' },
    collections: {
      orders: {
        readScope: 'orders:read',
        fields: { item: 'string', price: 'number' },
        seed: [
          { item: 'City bike', price: 549 },
          { item: 'Bell', price: 9 },
        ],
      },
    },
  },
  report: {
    client: client_id,
    places: {
      state_unique: '// 2',
      state_compared: '// 2',
      pkce_s256: '// 3',
      pkce_unique: '// 3',
      iss_compared: '// 4',
      nonce_unique: '// 5',
      no_token_in_url: '// 7',
      no_secret_in_url: '// 8',
      refresh_rotated: '// 9',
      logout_hint: '// 10',
    },
  },
  tasks: [...before, ...after],
};
