// The sample backend: what it costs to check a token and answer a page of products.
import { expressWithJose, get, tokenRequest } from '../contestants.mjs';
import { inTurn, pick } from '../in-turn.mjs';
import { load } from '../load.mjs';
import { withServers } from '../server.mjs';
import { median, pairedRatio } from '../statistics.mjs';
import { row } from '../table.mjs';

/** None of the built-in clients gets this scope without a person signing in. */
const client = {
  client_id: 'sensor',
  client_secret: 'sensor-secret',
  grant_types: ['client_credentials'],
  scope: 'products:read',
  access_token_lifetime: 3600,
};

export async function measureApi({ options, node, grantbox, bareHttp }) {
  const product = grantbox({ variables: { CLIENTS: JSON.stringify([client]) } });
  const samples = await withServers({ product, bareHttp }, async servers => {
    const headers = { authorization: `Bearer ${await accessToken(servers.product)}` };
    const ask = get('/api/products', '"price"', headers);
    const given = await whatAnApiNeeds(servers.product, ask);
    return withServers({ express: expressWithJose({ node: node.path, given }) }, async ({ express }) => {
      await checkOnce(servers.product, ask);
      await checkOnce(express, ask);
      const measures = {
        product: seconds => load(servers.product, ask, seconds),
        express: seconds => load(express, ask, seconds),
        bare: seconds => load(servers.bareHttp, get('/'), seconds),
      };
      for (const measure of Object.values(measures)) await measure(1);
      const timed = Object.entries(measures).map(([name, measure]) => [name, () => measure(options.seconds)]);
      return inTurn(options.rounds, Object.fromEntries(timed));
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

async function whatAnApiNeeds({ origin, contestant }, { path, headers }) {
  const json = async (from, init) => (await fetch(origin + from, init)).json();
  const { issuer } = await json(contestant.discovery.path);
  return { issuer, keys: await json(contestant.jwks.path), rows: await json(path, { headers }) };
}

/** The load generator looks at the status only. */
async function checkOnce({ origin }, { path, headers, proof }) {
  const text = await fetch(origin + path, { headers }).then(response => response.text());
  if (!text.includes(proof)) throw new Error(`${path} answered ${text.slice(0, 200)}`);
  const refused = await fetch(origin + path);
  if (refused.status !== 401) throw new Error(`${path} without a token answered ${refused.status}`);
}

function rows({ product, express, bare }) {
  const rate = samples => Math.round(median(pick(samples, 'perSecond'))).toLocaleString('en');
  const cpu = samples => pick(samples, 'cpuMicroseconds');
  const bareCpu = median(pick(bare, 'cpuMicroseconds')).toFixed(0);
  return [
    row(
      'verified `GET /api/products`, RS256, against Express with jose',
      pairedRatio(cpu(product), cpu(express)),
      { atMost: 1.6, unit: '× the CPU of bare Express with jose' },
      `Express with jose: ${rate(express)}/s, ${median(cpu(express)).toFixed(0)} µs CPU`,
      { product, express },
    ),
    row(
      'verified `GET /api/products`, RS256',
      median(pick(product, 'cpuMicroseconds')),
      { atMost: 45, unit: 'µs of server CPU', digits: 0 },
      `${rate(product)}/s; bare \`node:http\`: ${rate(bare)}/s, ${bareCpu} µs CPU`,
      { product, bare },
    ),
  ];
}
