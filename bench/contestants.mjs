// How each server is started and asked. `proof` is in the good answer and in no other.
import { copyFileSync, readdirSync } from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { bareEnvironment, temporaryFolder } from './processes.mjs';

const checkout = join(import.meta.dirname, '..');
const form = 'application/x-www-form-urlencoded';
const basic = `Basic ${Buffer.from('sensor:sensor-secret').toString('base64')}`;

export const tokenRequest = (path, body = 'grant_type=client_credentials') => ({
  method: 'POST',
  path,
  headers: { authorization: basic, 'content-type': form },
  body,
  proof: '"access_token"',
});
export const get = (path, proof, headers = {}) => ({ method: 'GET', path, headers, proof });
const discovery = get('/.well-known/openid-configuration', '"issuer"');
/** As the script of a single-page application asks, which has an address of its own. */
const browser = { ...discovery, headers: { origin: 'http://localhost:5173' } };

/** The files the image has. A copy, because somebody may build while this measures. */
export async function copyOfGrantbox(folder) {
  const options = { recursive: true, errorOnExist: false };
  const files = readdirSync(join(checkout, 'dist')).filter(file => file.endsWith('.cjs'));
  for (const file of files) {
    await cp(join(checkout, 'dist', file), join(folder, 'dist', file), options);
  }
  await cp(join(checkout, 'templates'), join(folder, 'templates'), options);
  // what an older Node loads TypeScript with
  await mkdir(join(folder, 'node_modules'));
  await symlink(join(checkout, 'node_modules/jiti'), join(folder, 'node_modules/jiti'));
  return join(folder, 'dist/grantbox.cjs');
}

/** As docker-entrypoint.sh starts it, in a folder without clients.config.ts, or with one of its own: the same clients. */
export function grantbox({ node, app, variables, hasOwnConfig = false }) {
  const cwd = temporaryFolder();
  if (hasOwnConfig) copyFileSync(join(checkout, 'clients.config.ts'), join(cwd, 'clients.config.ts'));
  return {
    name: 'Grantbox',
    command: node,
    args: () => ['--max-semi-space-size=2', app],
    options: port => ({ cwd, env: bareEnvironment({ PORT: String(port), ...variables }) }),
    token: tokenRequest('/oauth2/token'),
    jwks: get('/oauth2/jwks', '"keys"'),
    discovery,
    browser,
  };
}

/** By its own command line, which makes a fresh RS256 key. */
export function peer({ node, script, version }) {
  const cwd = temporaryFolder();
  return {
    name: `oauth2-mock-server ${version}`,
    command: node,
    args: port => [script, '-a', '127.0.0.1', '-p', String(port)],
    options: () => ({ cwd }),
    token: tokenRequest('/token'),
    jwks: get('/jwks', '"keys"'),
    discovery,
  };
}

/** An API on Express and jose, with the issuer, keys and rows of a Grantbox that runs. */
export function expressWithJose({ node, given }) {
  const program = join(import.meta.dirname, 'programs/express-jose.mjs');
  return {
    name: 'Express with jose',
    command: node,
    args: port => ['--max-semi-space-size=2', program, String(port), JSON.stringify(given)],
    options: () => ({}),
    discovery: get('/', '"ready"'),
  };
}

/** The least an HTTP server on Node can do. */
export function bareHttp({ node }) {
  return {
    name: 'bare node:http',
    command: node,
    args: port => [join(import.meta.dirname, 'programs/bare-http.mjs'), String(port)],
    options: () => ({}),
    token: get('/', '"bare"'),
    jwks: get('/', '"bare"'),
    discovery: get('/', '"bare"'),
  };
}
