import { describe, expect, it } from 'vitest';
import { receiver, secret, told } from './support.ts';

const send = (url: string, form: Readonly<Record<string, string>>, origin = new URL(url).origin) =>
  fetch(url, { method: 'POST', redirect: 'manual', headers: { origin }, body: new URLSearchParams(form) });
const read = async (url: string) => (await fetch(url)).text();

describe('the page of webhooks', () => {
  it('adds an endpoint, shows its deliveries with request and answer, sends one again, and removes it', async () => {
    const there = await receiver();
    there.answer = (_req, res) => void res.writeHead(there.received.length === 1 ? 500 : 200).end('<b>answer</b>');
    const { sandbox, deliveries, settled } = await told();
    const page = `${sandbox.url}/dashboard/webhooks`;
    const first = await read(page);
    expect(first).toMatch(/<title>Webhooks · .*<h1>Webhooks<\/h1>.*No endpoints\./s);
    const added = await send(page, { url: ` ${there.url} `, secret, events: 'user.*, problem.found' });
    expect(added.status).toBe(303);
    expect(await read(new URL(added.headers.get('location') ?? '', page).href)).toContain(
      'The endpoint is added, in memory.',
    );
    await sandbox.users.create({ sub: 'eve' });
    await expect.poll(async () => (await deliveries())[0]?.attempts.length).toBe(1);
    const list = await read(page);
    expect(list).toContain(secret);
    expect(list).toMatch(/<strong title="the endpoint must answer with 2xx">500<\/strong>/);
    const [{ id } = { id: '' }] = await deliveries();
    const detail = await read(`${page}/${id}`);
    expect(detail).toContain('webhook-signature: v1,');
    expect(detail).toContain('&lt;b&gt;answer&lt;/b&gt;');
    expect(detail).not.toContain(secret);
    expect((await send(`${page}/${id}/resend`, {})).status).toBe(303);
    await settled('delivered');
    const [endpointId = ''] = /ep_[0-9a-f]+/.exec(list) ?? [];
    await send(page, { remove: endpointId });
    expect(await read(page)).toContain('No endpoints.');
    expect((await fetch(`${page}/dlv_none`)).status).toBe(404);
  });

  it('has one line for all messages that wait for a receiver, with the reason', async () => {
    const { sandbox, deliveries } = await told({ webhooks: `http://127.0.0.1:9/#${secret}` });
    for (const sub of ['eve', 'finn', 'gus']) await sandbox.users.create({ sub });
    const isTried = async () => (await deliveries()).filter(({ attempts }) => attempts.length > 0).length;
    await expect.poll(isTried).toBeGreaterThanOrEqual(3);
    const waiting = (await deliveries('?status=waiting')).length;
    const html = await read(`${sandbox.url}/dashboard/webhooks`);
    expect(html.match(/data-testid="webhooks-delivery"/g)).toHaveLength(1);
    expect(html).toContain(`${waiting} messages wait`);
    expect(html).toMatch(/<strong title="127\.0\.0\.1:9 could not be reached: [A-Z_]+">no response<\/strong>/);
    expect(html.match(/<a href="\/dashboard\/webhooks\/dlv_/g)).toHaveLength(waiting);
  });

  it('says at the field what is wrong, and keeps what was typed', async () => {
    const { sandbox } = await told();
    const refused = await send(`${sandbox.url}/dashboard/webhooks`, {
      url: 'ftp://a"b',
      secret: 'short',
      events: 'user.made',
    });
    const text = await refused.text();
    expect(refused.status).toBe(400);
    expect(text).toContain('value="ftp://a&#34;b"');
    expect(text).toContain('Expected an http or https URL without credentials and #.');
    expect(text).toContain('Expected whsec_ and 24 to 64 bytes in base64.');
    expect(text).toContain('Expected a type such as user.created, a group such as user.*, or *.');
  });

  it('hides secrets where it is asked to', async () => {
    const { sandbox } = await told({ webhooks: `http://127.0.0.1:9/#${secret}` });
    expect(await read(`${sandbox.url}/dashboard/webhooks?secrets=hidden`)).not.toContain(secret);
    expect(await read(`${sandbox.url}/dashboard/settings`)).not.toContain(secret);
    expect(await read(`${sandbox.url}/_sandbox/settings`)).not.toContain(secret);
  });

  it('is closed to pages of other origins, and changes nothing where the dashboard only shows', async () => {
    const { sandbox, call } = await told({ dashboard: 'readonly' });
    const page = `${sandbox.url}/dashboard/webhooks`;
    const form = { url: 'http://127.0.0.1:9/' };
    expect((await send(page, form)).status).toBe(403);
    expect((await send(page, form, 'https://evil.example')).status).toBe(403);
    expect(
      (await fetch(page, { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } })).status,
    ).toBe(403);
    expect(await call('GET /webhooks')).toEqual({ webhooks: [] });
    expect(await read(page)).not.toContain('Add an endpoint');
  });
});

describe('the setting WEBHOOKS', () => {
  it.each([
    ['ftp://a', 'webhooks[0].url: found "ftp://a", expected an http or https URL without credentials and #'],
    ['http://169.254.169.254/hook', 'expected an address that is called: 169.254.169.254 is link-local'],
    ['http://[fe80::1]/hook', 'expected an address that is called: fe80::1 is link-local'],
    ['http://a#whsec_short', 'webhooks[0].secret: expected whsec_ and 24 to 64 bytes in base64'],
    [['http://a', 'http://a'], 'webhooks[1]: found "http://a", expected each URL once'],
    [[{ url: 'http://a', events: [] }], 'webhooks[0].events: found an empty list, expected a list such as'],
    [[{ url: 'http://a', event: 'user.*' }], 'webhooks[0].event: expected url, secret or events'],
    [[5], 'webhooks[0]: found 5, expected a URL, or an object with url, secret and events'],
    [5, 'webhooks: found ***, expected URLs or endpoints with a url'],
  ])('refuses %j in a sentence without secrets', async (webhooks, sentence) => {
    await expect(told({ webhooks } as object)).rejects.toThrow(sentence);
    await expect(told({ webhooks } as object)).rejects.not.toThrow('whsec_short');
  });
});
