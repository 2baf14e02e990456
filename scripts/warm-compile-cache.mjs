// Runs in the image's build: starts the sandbox as the image will, asks for what loads its code, and ends it cleanly,
// which writes the compile cache. What is compiled must have been made with the very flags of the image's entrypoint, which are
// the arguments of this script.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const [program = 'docker-entrypoint.sh', ...flags] = process.argv.slice(2);
const env = { ...process.env, HOST: '127.0.0.1', PORT: '0', LOG_FORMAT: 'json' };
const child = spawn(program, flags, { env, stdio: ['ignore', 'pipe', 'inherit'] });
const exited = once(child, 'exit');
const lines = createInterface({ input: child.stdout });
const issuer = await Promise.race([
  readIssuer(),
  exited.then(([code]) => Promise.reject(new Error(`ended with ${code} before it was ready`))),
]);

const basic = `Basic ${Buffer.from('sensor:sensor-secret').toString('base64')}`;
const token = await ask('/oauth2/token', {
  method: 'POST',
  headers: { authorization: basic },
  body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'telemetry:write' }),
}).then(response => response.json());
const query = new URLSearchParams({
  response_type: 'code',
  client_id: 'frontend',
  redirect_uri: 'http://localhost:3000/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
});
const paths = ['/health', '/.well-known/openid-configuration', '/oauth2/jwks', '/dashboard', '/assets/grantbox.css'];
for (const path of [...paths, `/oauth2/authorize?${query}`]) {
  await ask(path, { headers: { accept: 'text/html' } });
}
await ask('/api/telemetry', {
  method: 'POST',
  headers: { authorization: `Bearer ${token.access_token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ sensor: 'warm', metric: 'celsius', value: 21 }),
});
const probe = spawn(program, [...flags, 'healthcheck'], {
  env: { ...env, PORT: new URL(issuer).port },
  stdio: 'inherit',
});
await once(probe, 'exit');

child.kill('SIGTERM');
const [code] = await exited;
if (code !== 0) throw new Error(`ended with ${code}`);

async function readIssuer() {
  for await (const line of lines) {
    const { issuer } = JSON.parse(line);
    if (issuer !== undefined) return issuer;
  }
}

async function ask(path, init) {
  const response = await fetch(new URL(path, issuer), init);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  await response.clone().arrayBuffer();
  return response;
}
