import type { RequestHandler, Response } from 'express';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import type { Settings } from './app.ts';

/** Accepts requests with an access token for this API (RFC 6750, RFC 9068). */
export function createAuthenticate({ issuer, audience, clockTolerance }: Settings): RequestHandler {
  const keys = createRemoteJWKSet(new URL(`${issuer}/oauth2/jwks`), { cooldownDuration: 0 });
  return async (request, response, next) => {
    const token = /^Bearer (.+)$/i.exec(request.get('Authorization') ?? '')?.[1];
    if (token === undefined) return void response.status(401).set('WWW-Authenticate', 'Bearer').end();
    try {
      const expected = { issuer, audience, clockTolerance, typ: 'at+jwt', requiredClaims: ['exp'] };
      const { payload } = await jwtVerify(token, keys, expected);
      // it is bound to a key or a certificate, and nobody here checks whose
      if (payload.cnf !== undefined) throw new errors.JWTInvalid('a bound token needs its proof');
      response.locals.claims = payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      const { code, message } = error;
      return void response.status(401).set('WWW-Authenticate', 'Bearer error="invalid_token"').json({ code, message });
    }
    next();
  };
}

export function requireScope(scope: string): RequestHandler {
  return (_request, response, next) => {
    if (String(claimsOf(response).scope).split(' ').includes(scope)) return next();
    const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
    response
      .status(403)
      .set('WWW-Authenticate', challenge)
      .json({ message: `${scope} is required` });
  };
}

export function subOf(response: Response): string {
  return claimsOf(response).sub ?? '';
}

function claimsOf(response: Response): JWTPayload {
  return response.locals.claims as JWTPayload;
}
