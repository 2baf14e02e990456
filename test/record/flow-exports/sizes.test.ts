import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventLog, type EventLog } from '../../../src/base/events/event-log.ts';
import { atOnce, type Pieces, wholeText } from '../../../src/base/turns.ts';
import { problemsIn, setupOf } from '../../../src/dashboard/exports/export-pages.ts';
import type { PageContext } from '../../../src/dashboard/page.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { exportSession } from '../../../src/record/flows/exports/export.ts';
import { asJson } from '../../../src/record/flows/exports/json.ts';
import { asMarkdown } from '../../../src/record/flows/exports/markdown.ts';
import { createFlowIndex } from '../../../src/record/flows/flow-index.ts';
import { createProblemIndex } from '../../../src/record/problems/problem-index.ts';
import { requestFact, runDashboard } from '../../dashboard/running-dashboard.ts';
import { countedLog } from '../../support/counted-log.ts';
import * as script from '../../support/flow-scripts.ts';
import { settled } from '../../support/flows.ts';
import { knownOf } from '../problems/support.ts';

const formats = ['json', 'ndjson', 'har', 'html', 'mermaid', 'markdown'];

/** Adds a refused token request of a client of its own, as the front door records it. */
function refuse(events: EventLog, number: number): void {
  const requestId = `req_r${number}`;
  const client_id = `nobody-${number}`;
  const description = `no client is registered as ${client_id}`;
  events.append(
    {
      ...{ type: 'error.returned', endpoint: 'token', form: 'json', status: 401, error: 'invalid_client' },
      ...{ reason: 'client_unknown', description, client_id },
    },
    requestId,
  );
  const sent = `grant_type=client_credentials&client_id=${client_id}&client_secret=secret-of-${client_id}`;
  const told = JSON.stringify({ error: 'invalid_client', error_description: description });
  const exchange = {
    url: '/oauth2/token',
    ip: '127.0.0.1',
    requestHeaders: 'content-type\napplication/x-www-form-urlencoded\nuser-agent\nnode',
    requestBody: { text: sent, bytes: sent.length },
    responseHeaders: 'Content-Type\napplication/json\nCache-Control\nno-store',
    responseBody: { text: told, bytes: told.length },
  };
  events.append(requestFact({ status: 401, exchange }), requestId);
}

function refusals(count: number, capacity = 10_000): EventLog {
  const events = createEventLog({ capacity, now: () => 1000 });
  for (let number = 0; number < count; number++) refuse(events, number);
  return events;
}

const exportedFrom = (events: EventLog) => {
  const flows = createFlowIndex(events, () => 1000).newestFirst();
  return atOnce(exportSession(flows, { events, issuer: 'http://localhost:9000', now: 1000, secrets: 'redact' }));
};

async function sizesOf(url: string): Promise<Record<string, number>> {
  const entries = formats.map(async format => {
    const answer = await fetch(`${url}/dashboard/export/${format}`);
    expect(answer.status).toBe(200);
    return [format, (await answer.text()).length] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

describe('the export of many refused requests', () => {
  it.each(formats)('as %s grows like their number, to at most twice the JSON', async format => {
    await using few = await runDashboard({ events: refusals(150) });
    await using many = await runDashboard({ events: refusals(300) });
    const [of150, of300] = [await sizesOf(few.url), await sizesOf(many.url)];
    expect((of300[format] ?? 0) / (of150[format] ?? 0)).toBeLessThan(2.2);
    expect(of300[format]).toBeLessThan(2 * (of300.json ?? 0));
  });

  it('as Markdown has each request once, below its own flow', () => {
    const events = refusals(30);
    events.append(requestFact({ endpoint: 'unknown', path: '/of-no-flow' }), 'req_loose');
    const text = wholeText(asMarkdown(exportedFrom(events), events));
    expect(text.match(/^## /gm)).toHaveLength(31);
    for (const flow of text.split(/^# /m).slice(1, -1)) {
      const [, client] = /nobody\\?-(\d+)/.exec(flow) ?? [];
      expect(flow.match(/client_id=nobody-\d+/g)).toEqual([`client_id=nobody-${client}`]);
    }
    expect(text.split(/^# /m).at(-1)).toContain('/of-no-flow');
  });

  it('as JSON is written in short pieces, also a flow of many requests', () => {
    const events = createEventLog({ capacity: 5000, now: () => 1000 });
    for (let call = 0; call < 3000; call++) {
      events.append(requestFact({ endpoint: 'jwks', method: 'GET', path: '/oauth2/jwks' }), `req_${call}`);
    }
    const exported = exportedFrom(events);
    expect(Math.max(...exported.flows.map(({ steps }) => steps.length))).toBe(3000);
    expect(Math.max(...[...asJson(exported)].map(piece => piece.length))).toBeLessThan(2000);
  });

  it('as JSON reads few parts of requests between two yields', () => {
    const log = countedLog(500);
    let [before, most] = [0, 0];
    const measured = <T>(work: Pieces<T>): T => {
      for (;;) {
        const piece = work.next();
        most = Math.max(most, log.reads() - before);
        before = log.reads();
        if (piece.done === true) return piece.value;
      }
    };
    const options = { events: log.events, issuer: 'http://localhost', now: 1000, secrets: 'redact' } as const;
    const exported = measured(exportSession([], options));
    expect([exported.requests.length, most]).toEqual([1000, expect.toSatisfy(reads => reads > 0 && reads < 20)]);
  });

  it('as JSON looks for the configuration of one request between two yields', () => {
    const exported = exportedFrom(refusals(500));
    let [reads, before, most] = [0, 0, 0];
    const requests = exported.requests.map(request => ({
      ...request,
      get facts() {
        reads++;
        return request.facts;
      },
    }));
    const asked: string[] = [];
    const entryOf = (id: string) => {
      asked.push(id);
      return { client_id: id, client_secret: 'secret' };
    };
    const context = {
      control: { clientEntry: entryOf, userEntry: entryOf, entry: (_kind: string, id: string) => entryOf(id) },
      time: { state: () => ({ offset: 0, frozen: false }) },
    } as unknown as PageContext;
    const work = setupOf(context, { ...exported, requests }, []);
    let piece = work.next();
    for (; piece.done !== true; piece = work.next()) {
      most = Math.max(most, reads + asked.length - before);
      before = reads + asked.length;
    }
    expect(piece.value).toMatchObject({ clients: { length: 500, 0: { client_secret: '[redacted]' } } });
    expect([reads, asked.length, most]).toEqual([500, 500, 1]);
  });

  it('keeps the problems that new requests push out meanwhile', () => {
    const events = refusals(20, 20);
    const problems = createProblemIndex({ ...knownOf(events, []), clock: () => 1000 });
    const work = problemsIn({ problems }, exportedFrom(events));
    atOnce(problems.catchUp());
    let step = work.next();
    for (let number = 20; step.done !== true; number++) {
      if (number < 60) refuse(events, number);
      problems.count(); // reads the new ones
      step = work.next();
    }
    expect(step.value).toHaveLength(20);
  });
});

describe('the export of logins', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox({ signingAlg: 'ES256' });
    for (let login = 0; login < 12; login++) await script.logInAndCall(sandbox.url, { state: `login-${login}` });
    await settled(sandbox);
  });
  afterAll(() => sandbox.stop());

  it('is in every format at most twice the JSON', async () => {
    const sizes = await sizesOf(sandbox.url);
    expect(formats.filter(format => (sizes[format] ?? 0) > 2 * (sizes.json ?? 0))).toEqual([]);
  });
});
