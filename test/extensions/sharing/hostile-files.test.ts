import { beforeAll, describe, expect, it } from 'vitest';
import { isRecord } from '../../../src/base/text/record.ts';
import { CommandFailure } from '../../../src/client/cli/command.ts';
import { checkedSession } from '../../../src/extensions/sharing/read-session.ts';
import { createSandbox } from '../../../src/index.ts';
import { logInAndCall, walkToCode } from '../../support/flow-scripts.ts';
import { get, redeem } from '../../support/wire.ts';
import { openText } from './recorded.ts';

const evil = `"'><script>alert(1)</script><img src=x onerror=alert(2)>`;

/** A session with a login that worked and one that failed. */
let good: Record<string, unknown>;

beforeAll(async () => {
  await using sandbox = await createSandbox();
  await logInAndCall(sandbox.url);
  const { code } = await walkToCode(sandbox.url, { state: 'the state of another login' });
  await redeem(sandbox.url, code, { code_verifier: 'another-verifier-of-43-characters-0123456789' });
  good = JSON.parse(await (await get(`${sandbox.url}/dashboard/export/json`)).text());
});

/** A copy in which `change` has replaced each value, by its path. */
function changed(value: unknown, change: (value: unknown, path: string) => unknown, path = ''): unknown {
  const own = change(value, path);
  if (own !== value) return own;
  if (Array.isArray(value)) return value.map((each, index) => changed(each, change, `${path}[${index}]`));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, changed(each, change, `${path}.${name}`)]),
  );
}

const replaced = (wanted: string, by: unknown) => changed(good, (value, path) => (path === wanted ? by : value));

function problemOf(value: unknown): string {
  try {
    checkedSession('session.json', value);
    return '';
  } catch (error) {
    if (error instanceof CommandFailure) return error.message;
    throw error;
  }
}

describe('a file that is no session', () => {
  it('is accepted as it was exported', () => {
    expect(problemOf(good)).toBe('');
  });

  it.each([
    ['.version', 2, 'version: found 2, expected 1: a newer version of Grantbox wrote the file'],
    ['.issuer', 'javascript:alert(1)', 'issuer: found "javascript:alert(1)", expected an address'],
    ['.exportedAt', 1e300, 'exportedAt: found 1e+300, expected a number from'],
    ['.requests', {}, 'requests: found an object, expected a list of requests'],
    ['.requests[0]', 'x', 'requests[0]: found "x", expected'],
    ['.requests[0].requestId', '../x', 'requests[0].requestId: found "../x", expected an id'],
    ['.requests[0].url', null, 'requests[0].url: found null, expected text'],
    [
      '.requests[0].request.headers',
      [['a\nb', 'c']],
      'requests[0].request.headers[0][0]: found "a\\nb", expected text',
    ],
    [
      '.requests[0].response.body',
      { text: 'x' },
      'requests[0].response.body.bytes: expected a value, because it is required',
    ],
    ['.requests[0].events', 5, 'requests[0].events: found 5, expected a list of events'],
    ['.flows[0].kind', 'constructor', 'flows[0].kind: found "constructor", expected one of authorization_code'],
    ['.flows[0].steps[0].actor', [], 'flows[0].steps[0].actor: found an empty list, expected one of browser'],
    ['.problems[0].explanation.fixes', [{ text: 'x', snippets: 'y' }], 'problems[0].explanation.fixes[0].snippets'],
    ['.setup.users', [1], 'setup'],
  ])('is refused for %s', (path, by, line) => {
    expect(problemOf(replaced(path, by))).toContain(`\n  - ${line}`);
  });

  it('is refused for a member of an event that a page would read', () => {
    const events = (good.requests as { events: { type: string }[] }[])
      .flatMap(({ events }, request) =>
        events.map((event, index) => ({ ...event, path: `.requests[${request}].events[${index}]` })),
      )
      .filter(({ type }) => type === 'token.requested');
    const [{ path = '' } = {}] = events;
    expect(problemOf(replaced(`${path}.ignored`, 5))).toContain(
      `${path.slice(1)}.ignored: found 5, expected a list of texts`,
    );
    expect(problemOf(replaced(`${path}.at`, 'now'))).toContain(`${path.slice(1)}.at: found "now", expected a number`);
  });

  it('is told all of its problems at once, and the number of those beyond twenty', () => {
    const many = changed(good, (value, path) => (/\]\.(status|at|method)$/.test(path) ? [] : value));
    const lines = problemOf({ ...(many as object), issuer: 5 }).split('\n');
    expect(lines[0]).toMatch(/^session\.json is not a session file of Grantbox; it has \d\d+ problems:$/);
    expect(lines).toHaveLength(22);
    expect(lines.at(-1)).toMatch(/and \d+ more/);
  });

  it('has each request once', () => {
    const { requests = [] } = good as { requests?: unknown[] };
    expect(problemOf({ ...good, requests: [...requests, requests[0]] })).toContain(
      'again, expected an id that no other',
    );
  });

  it.each([
    ['text', 'no JSON', /is not valid JSON/],
    ['a list', '[]', /is no session file of Grantbox/],
    ['another object', '{"a":1}', /is no session file/],
    ['deep nesting', `${'['.repeat(200)}${']'.repeat(200)}`, /nested more than 100 levels/],
    ['nothing', '', /is not valid JSON/],
  ])('is refused where it is %s', async (_, text, said) => {
    await expect(openText(text)).rejects.toThrow(said);
  });
});

describe('a file that a stranger has made', () => {
  it('changes no prototype', async () => {
    const poison = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},';
    const text = JSON.stringify(good).replaceAll('{"', `{${poison}"`);
    await using opened = await openText(text);
    await opened.text('/dashboard/flows');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });

  it('injects nothing into a page', async () => {
    const free =
      /\.(client_id|sub|state|description|title|why|text|error|scope|label|name|code|grant_type|about|differs)$/;
    const hostile = changed(good, (value, path) => (typeof value === 'string' && free.test(path) ? evil : value));
    await using opened = await openText({ ...(hostile as object), setup: {} }, `<b>x<b>.json`);
    const lists = ['flows', 'problems', 'tokens', 'requests'];
    const texts = await Promise.all(lists.map(list => opened.text(`/dashboard/${list}`)));
    const links = [...texts.join('').matchAll(/\/dashboard\/(?:flows|problems|tokens|requests)\/\w+_\w+/g)];
    const pages = await Promise.all([...new Set(links.map(String))].map(path => opened.text(path)));
    expect(pages.length).toBeGreaterThan(10);
    for (const html of [...texts, ...pages]) {
      expect(html).not.toContain('<script>alert');
      expect(html).not.toContain('<img src=x');
      expect(html).not.toContain('<b>x<b>');
    }
    expect(texts.join('')).toContain('&lt;script&gt;');
  });

  it('opens without its clients where they are none', async () => {
    const { setup } = good as { setup: object };
    await using opened = await openText({ ...good, setup: { ...setup, clients: [{ client_id: 5 }] } });
    expect(opened.notes.join()).toMatch(/left out.*client_id: found 5, expected text/s);
    expect(await opened.text('/dashboard/flows')).toContain('data-testid="flow-row"');
  });

  it('may name flows and problems whose requests it lacks', async () => {
    await using opened = await openText({ ...good, requests: [] });
    const html = await opened.text('/dashboard/flows');
    const [path = ''] = /\/dashboard\/flows\/flow_\w+/.exec(html) ?? [];
    await opened.text(path);
    const [problem = ''] = /\/dashboard\/problems\/prb_\w+/.exec(await opened.text('/dashboard/problems')) ?? [];
    await opened.text(problem);
  });

  it('may have events that only a newer version knows', async () => {
    const newer = { type: 'something.new', id: 1, at: 1 };
    const text = changed(good, (value, path) => (path.endsWith('.events') ? [newer, ...(value as object[])] : value));
    await using opened = await openText(text);
    expect(opened.counts.flows).toBe((good.flows as { kind: string }[]).filter(({ kind }) => kind !== 'setup').length);
  });
});
