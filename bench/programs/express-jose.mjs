// The least that an API of one's own does: Express, jose with the keys in the process, the scope, and a page of rows as JSON.
import express from 'express';
import { createLocalJWKSet, jwtVerify } from 'jose';

const [, , port, given] = process.argv;
const { issuer, keys, rows } = JSON.parse(given);
const keyFor = createLocalJWKSet(keys);
const expected = { issuer, typ: 'at+jwt', requiredClaims: ['exp', 'aud', 'sub', 'client_id', 'iat', 'jti'] };
const app = express().disable('x-powered-by').disable('etag');

async function authenticate(request, response, next) {
  try {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const { payload } = await jwtVerify(token, keyFor, expected);
    if (!payload.scope?.split(' ').includes('products:read')) return response.status(403).json({});
    next();
  } catch {
    response.status(401).json({});
  }
}

app.get('/', (_request, response) => response.json({ ready: true }));
app.get('/api/products', authenticate, (_request, response) => response.json(rows));
app.listen(Number(port), '127.0.0.1');
