import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLocalJWKSet, createRemoteJWKSet, decodeJwt, type JWTVerifyOptions, jwtVerify } from 'jose';
import type { LessonSolver, Participant } from '../solver.ts';

type Check = (token: string) => Promise<unknown>;

/** An API that checks the token of each call. */
function api(check: Check): RequestListener {
  return async (req, res) => {
    const token = req.headers.authorization?.replace(/^Bearer /, '') ?? '';
    try {
      await check(token);
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
    } catch {
      res.writeHead(401, { 'WWW-Authenticate': 'Bearer error="invalid_token"' }).end();
    }
  };
}

/** All checks of RFC 9068 §4. An unknown `kid` makes the API fetch the keys again at once. */
function careful({ issuer }: Participant): Check {
  const keys = createRemoteJWKSet(new URL(`${issuer}/oauth2/jwks`), { cooldownDuration: 0 });
  return token => jwtVerify(token, keys, { issuer, audience: 'my-api', typ: 'at+jwt', algorithms: ['RS256'] });
}

/** Starts an API, calls it with the probe of the lesson, and stops it. */
async function probe(by: Participant, check: Check, calls: readonly ('tokens' | 'rotated')[]): Promise<void> {
  const server = createServer(api(check)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // of a TCP socket
  try {
    for (const call of calls) await by.probe(`http://127.0.0.1:${port}/`, call);
  } finally {
    server.close();
  }
}

/** An API that compares what `options` name, with keys that it fetches when it needs them. */
function comparing({ issuer }: Participant, options: JWTVerifyOptions): Check {
  const keys = createRemoteJWKSet(new URL(`${issuer}/oauth2/jwks`), { cooldownDuration: 0 });
  return token => jwtVerify(token, keys, options);
}

const everything: Check = async token => decodeJwt(token);
const nothing: Check = async () => Promise.reject(new Error('nobody gets in'));

/** An API with a copy of the keys, which it never fetches again. */
async function withCopiedKeys({ issuer }: Participant): Promise<Check> {
  const keys = createLocalJWKSet(await (await fetch(`${issuer}/oauth2/jwks`)).json());
  return token => jwtVerify(token, keys, { issuer, audience: 'my-api', typ: 'at+jwt', algorithms: ['RS256'] });
}

export const solver: LessonSolver = {
  accept: {
    solve: by => probe(by, everything, ['tokens']),
    nearMisses: {
      'a typo in the audience': {
        does: by => probe(by, comparing(by, { audience: 'my-apl' }), ['tokens']),
        state: 'close',
        says: 'The table says',
      },
      'a slash after the issuer': {
        does: by => probe(by, comparing(by, { issuer: `${by.issuer}/`, audience: 'my-api' }), ['tokens']),
        state: 'close',
      },
    },
  },
  refuse: {
    solve: by => probe(by, careful(by), ['tokens']),
    nearMisses: {
      'the audience is not compared': {
        does: by => probe(by, comparing(by, { issuer: by.issuer }), ['tokens']),
        also: ['accept'],
        state: 'close',
        says: 'which check is missing',
      },
      'the kind of the token is not compared': {
        does: by =>
          probe(by, comparing(by, { issuer: by.issuer, audience: 'my-api', algorithms: ['RS256'] }), ['tokens']),
        also: ['accept'],
        state: 'close',
      },
      'every token is refused': { does: by => probe(by, nothing, ['tokens']), state: 'close' },
    },
  },
  rotate: {
    solve: by => probe(by, careful(by), ['tokens', 'rotated']),
    nearMisses: {
      'it checks nothing and fetches no key': {
        does: by => probe(by, everything, ['tokens', 'rotated']),
        also: ['accept'],
      },
      'a copy of the keys': {
        does: async by => probe(by, await withCopiedKeys(by), ['tokens', 'rotated']),
        also: ['accept', 'refuse'],
      },
    },
  },
};
