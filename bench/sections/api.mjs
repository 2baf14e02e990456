// The sample backend: what it costs to check a token and answer a page of products.
import { get, tokenRequest } from '../contestants.mjs';
import { inTurn, pick } from '../in-turn.mjs';
import { load } from '../load.mjs';
import { withServers } from '../server.mjs';
import { median } from '../statistics.mjs';
import { row } from '../table.mjs';

/** None of the built-in clients gets this scope without a person signing in. */
const client = {
  client_id: 'sensor',
  client_secret: 'sensor-secret',
  grant_types: ['client_credentials'],
  scope: 'products:read',
  access_token_lifetime: 3600,
};

export async function measureApi({ options, grantbox, bareHttp }) {
  const product = grantbox({ variables: { CLIENTS: JSON.stringify([client]) } });
  const samples = await withServers({ product, bareHttp }, async servers => {
    const headers = { authorization: `Bearer ${await accessToken(servers.product)}` };
    const ask = get('/api/products', '"price"', headers);
    await checkOnce(servers.product, ask);
    await load(servers.product, ask, 1);
    await load(servers.bareHttp, get('/'), 1);
    return inTurn(options.rounds, {
      product: () => load(servers.product, ask, options.seconds),
      bare: () => load(servers.bareHttp, get('/'), options.seconds),
    });
  });
  return rows(samples);
}

async function accessToken({ origin }) {
  const request = tokenRequest('/oauth2/token', 'grant_type=client_credentials&scope=products%3Aread');
  const response = await fetch(origin + request.path, request);
  const { access_token: token } = await response.json();
  if (token === undefined) throw new Error(`no token for products:read: ${response.status}`);
  return token;
}

/** The load generator looks at the status only. */
async function checkOnce({ origin }, { path, headers, proof }) {
  const text = await fetch(origin + path, { headers }).then(response => response.text());
  if (!text.includes(proof)) throw new Error(`${path} answered ${text.slice(0, 200)}`);
  const refused = await fetch(origin + path);
  if (refused.status !== 401) throw new Error(`${path} without a token answered ${refused.status}`);
}

function rows({ product, bare }) {
  const rate = samples => Math.round(median(pick(samples, 'perSecond'))).toLocaleString('en');
  const bareCpu = median(pick(bare, 'cpuMicroseconds')).toFixed(0);
  return [
    row(
      'verified `GET /api/products`, RS256',
      median(pick(product, 'cpuMicroseconds')),
      { atMost: 45, unit: 'µs of server CPU', digits: 0 },
      `${rate(product)}/s; bare \`node:http\`: ${rate(bare)}/s, ${bareCpu} µs CPU`,
      { product, bare },
    ),
  ];
}
