import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
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

export const solver: LessonSolver = {
  accept: {
    solve: by => probe(by, careful(by), ['tokens']),
    // its expected audience has a typo
    nearMiss: by => {
      const keys = createRemoteJWKSet(new URL(`${by.issuer}/oauth2/jwks`));
      return probe(by, token => jwtVerify(token, keys, { audience: 'my-apl' }), ['tokens']);
    },
    nearState: 'close',
  },
  refuse: {
    solve: by => probe(by, careful(by), ['tokens']),
    // it does not check the audience
    nearMiss: by => {
      const keys = createRemoteJWKSet(new URL(`${by.issuer}/oauth2/jwks`), { cooldownDuration: 0 });
      return probe(by, token => jwtVerify(token, keys, { issuer: by.issuer }), ['tokens']);
    },
    nearState: 'close',
  },
  rotate: {
    solve: by => probe(by, careful(by), ['tokens', 'rotated']),
    // it checks nothing and fetches no key
    nearMiss: by => probe(by, async token => decodeJwt(token), ['tokens', 'rotated']),
  },
};
