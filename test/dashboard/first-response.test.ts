import { describe, expect, it } from 'vitest';
import type { RunningDashboard } from './running-dashboard.ts';
import { createLog, requestFact, runDashboard, tokenFact } from './running-dashboard.ts';

// A list begins with at most 200 rows and 120 kB, however much is kept and whatever is in it.

const historySize = 10_000;
/** As the server makes them, and as somebody makes them who wants a large page. */
const values = {
  usual: (n: number) => ({ client_id: `frontend-${n}`, sub: `alice-${n}`, path: `/oauth2/token/${n}` }),
  long: (n: number) => ({
    client_id: `${n}-${'"long&'.repeat(60)}`,
    sub: `${n}-${'<long>'.repeat(60)}`,
    path: `/${n}/${'&long/'.repeat(400)}`,
  }),
} as const;

async function fill(kind: keyof typeof values): Promise<RunningDashboard> {
  const events = createLog(historySize);
  for (let n = 0; n < historySize; n++) {
    const { client_id, sub, path } = values[kind](n);
    const requestId = `req_${String(n).padStart(12, '0')}`;
    const scope = `openid profile email products:read ${client_id}`;
    events.append(
      tokenFact(`tok_${String(n).padStart(12, '0')}`, { client_id, sub, scope, authorizationId: requestId }),
      requestId,
    );
    events.append(
      {
        ...{ type: 'error.returned', endpoint: 'token', status: 401, error: 'invalid_client', form: 'json' },
        ...{ reason: 'client_unknown', description: 'the client is not registered', client_id },
      },
      requestId,
    );
    const body = `grant_type=client_credentials&client_id=${encodeURIComponent(client_id)}`;
    const exchange = {
      ...{ url: path, ip: '127.0.0.1', responseHeaders: '' },
      requestHeaders: 'Content-Type\napplication/x-www-form-urlencoded',
      requestBody: { text: body, bytes: body.length },
    };
    events.append(requestFact({ path, status: 401, exchange }), requestId);
  }
  return runDashboard({ events });
}

describe.each(['usual', 'long'] as const)('with a full history of %s values', kind => {
  it('each list begins with at most 200 rows and 120 kB', async () => {
    await using dashboard = await fill(kind);
    const found: string[] = [];
    for (const name of ['tokens', 'flows', 'problems', 'requests']) {
      const html = await dashboard.text(`/dashboard/${name}`);
      const [, body = ''] = /<tbody[^>]*>([\s\S]*)<\/tbody>/.exec(html) ?? [];
      const rows = body.split('<tr').length - 1;
      const bytes = Buffer.byteLength(html);
      if (rows < 50 || rows > 200 || bytes > 120_000) found.push(`${name}: ${rows} rows, ${bytes} bytes`);
    }
    expect(found).toEqual([]);
  });
});
