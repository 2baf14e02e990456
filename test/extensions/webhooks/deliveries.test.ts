import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../src/base/store.ts';
import { attemptDelivery } from '../../../src/extensions/webhooks/attempt.ts';
import { endpointFindings } from '../../../src/extensions/webhooks/check-endpoint.ts';
import { createDeliveries, createDeliveryBook } from '../../../src/extensions/webhooks/deliveries.ts';
import { limits, retrySeconds } from '../../../src/extensions/webhooks/limits.ts';
import { claimDelivery } from '../../../src/extensions/webhooks/webhooks.ts';
import { createOutbound } from '../../../src/server/outbound/outbound.ts';
import { observes } from '../../observed.ts';
import { receiver, secret, told } from './support.ts';

describe('a delivery', () => {
  it('is attempted again by the clock of the sandbox, later each time, and fails in the end', async () => {
    const there = await receiver();
    there.answer = (_req, res) => void res.writeHead(500).end('broken');
    const { sandbox, settled, deliveries } = await told({ webhooks: [{ url: there.url, secret, events: ['user.*'] }] });
    sandbox.clock.freeze();
    await sandbox.users.create({ sub: 'eve' });
    for (const [index, pause] of retrySeconds.entries()) {
      await expect.poll(async () => (await deliveries())[0]?.attempts.length).toBe(index + 1);
      const [waiting] = await deliveries('?status=waiting');
      expect(waiting?.nextAttemptAt).toBe(Math.floor(sandbox.clock()) + pause);
      sandbox.clock.advance(pause);
    }
    const [failed] = await settled('failed');
    expect(failed?.attempts).toHaveLength(retrySeconds.length + 1);
    expect(failed?.attempts[0]).toMatchObject({
      status: 500,
      answer: 'broken',
      failure: 'the endpoint must answer with 2xx',
    });
    expect(failed).not.toHaveProperty('nextAttemptAt');
    expect(new Set(there.received.map(({ id }) => id)).size).toBe(1); // one message, for a receiver that knows it
  });

  it('that fails does not hold up the next one, and each comes in the order of its event', async () => {
    const there = await receiver();
    there.answer = (_req, res) => void res.writeHead(there.received.length === 1 ? 503 : 200).end();
    const { sandbox, settled } = await told({ webhooks: [{ url: there.url, secret, events: ['user.created'] }] });
    const subs = ['a', 'b', 'c', 'd', 'e'];
    for (const sub of subs) await sandbox.users.create({ sub });
    await settled('delivered', 4);
    expect(there.received.map(({ data }) => data.sub)).toEqual(subs);
    sandbox.clock.advance('5s');
    await settled('delivered', 5);
    expect(there.received.map(({ data }) => data.sub)).toEqual([...subs, 'a']);
  });

  it('waits as long as the receiver asks for by Retry-After', async () => {
    const there = await receiver();
    there.answer = (_req, res) => void res.writeHead(429, { 'retry-after': '90' }).end();
    const { sandbox, deliveries } = await told({ webhooks: [{ url: there.url, secret, events: ['user.created'] }] });
    sandbox.clock.freeze();
    await sandbox.users.create({ sub: 'eve' });
    await expect.poll(async () => (await deliveries())[0]?.nextAttemptAt).toBe(Math.floor(sandbox.clock()) + 90);
  });

  it('ends with 410, after which the endpoint gets nothing until somebody sends again', async () => {
    observes('operation resendDelivery');
    const there = await receiver();
    there.answer = (_req, res) => void res.writeHead(410).end();
    const { sandbox, call, settled, deliveries } = await told({
      webhooks: [{ url: there.url, secret, events: ['user.*'] }],
    });
    await sandbox.users.create({ sub: 'eve' });
    const [failed] = await settled('failed');
    await sandbox.users.create({ sub: 'fay' });
    expect((await call('GET /webhooks')).webhooks).toMatchObject([{ status: 'gone' }]);
    there.answer = (_req, res) => void res.writeHead(200).end('thanks');
    expect(await call(`POST /webhooks/deliveries/${failed?.id}/resend`, {})).toMatchObject({ status: 'waiting' });
    const [delivered] = await settled('delivered');
    expect(delivered).toMatchObject({ id: failed?.id, attempts: [{ status: 410 }, { status: 200, answer: 'thanks' }] });
    expect((await call('GET /webhooks')).webhooks).toMatchObject([{ status: 'active' }]);
    expect(there.received.map(({ id }) => id)).toEqual([delivered?.messageId, delivered?.messageId]);
    expect(await deliveries()).toHaveLength(1); // fay was told to nobody
  });

  it('says why there was no answer: nobody listens, or a redirect', async () => {
    const there = await receiver();
    there.answer = (_req, res) => void res.writeHead(307, { location: 'http://127.0.0.1:9/' }).end();
    const urls = [there.url, 'http://127.0.0.1:9/hooks'];
    const { sandbox, deliveries } = await told({ webhooks: urls.map(url => ({ url, secret, events: ['user.*'] })) });
    await sandbox.users.create({ sub: 'eve' });
    await expect.poll(async () => (await deliveries()).filter(({ attempts }) => attempts.length === 1).length).toBe(2);
    const failures = new Map((await deliveries()).map(({ url, attempts }) => [url, attempts[0]?.failure]));
    expect(urls.map(url => failures.get(url))).toEqual([
      'the endpoint answered with a redirect, which is not followed',
      '127.0.0.1:9 could not be reached: ECONNREFUSED',
    ]);
  });

  it('is refused before a connection where its name has an address that is never called', async () => {
    const there = await receiver();
    // 0.0.0.0 is as forbidden as a metadata service, and would lead to the receiver here
    const outbound = createOutbound({ reach: 'any', resolve: async () => ['0.0.0.0'] });
    const endpoint = { url: there.url.replace('127.0.0.1', 'hooks.example'), secret };
    expect(endpointFindings(endpoint)).toEqual([]);
    expect(await attemptDelivery(outbound, endpoint, { id: 'msg_1', body: '{}', at: 0 })).toMatchObject({
      result: 'refused',
      attempt: {
        failure: 'hooks.example is not called: 0.0.0.0 is link-local, a metadata service or otherwise special',
      },
    });
    expect(there.received).toEqual([]);
  });

  it('is claimed by exactly one of many replicas', async () => {
    const store = createMemoryStore({ clock: () => 0 });
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimDelivery(store, 'ep_1', 'msg_1')));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claimDelivery(store, 'ep_2', 'msg_1')).toBe(true);
  });
});

describe('the queue of an endpoint', () => {
  it('keeps no more text than the limit of the issuer', async () => {
    const endpoint = {
      id: 'ep_1',
      url: 'http://a',
      secret,
      events: ['*'],
      status: 'active',
      configured: true,
    } as const;
    const book = createDeliveryBook();
    const data = { text: 'x'.repeat(limits.characters / 4) };
    for (let number = 0; number < 6; number++)
      book.add(endpoint, { type: 'user.created', timestamp: '', data, id: `msg_${number}` }, 0);
    expect(book.waiting()).toHaveLength(4);
    // what is over goes when there is no room, a delivery that was dropped too
    expect(book.list().map(({ messageId }) => messageId)).toEqual(['msg_3', 'msg_2', 'msg_1', 'msg_0']);
  });

  it('drops what is more than its limit, and goes on with the others', async () => {
    const endpoint = {
      id: 'ep_1',
      url: 'http://a',
      secret,
      events: ['*'],
      status: 'active',
      configured: true,
    } as const;
    const held: (() => void)[] = [];
    const deliveries = createDeliveries({
      clock: () => 0,
      endpoint: () => endpoint,
      attempt: () =>
        new Promise(resolve => held.push(() => resolve({ attempt: { at: 0, headers: {} }, result: 'delivered' }))),
      gone: () => {},
      onError: error => {
        throw error;
      },
    });
    const message = { type: 'user.created', timestamp: '', data: {} } as const;
    for (let number = 0; number < limits.waiting + 2; number++)
      deliveries.enqueue(endpoint, { ...message, id: `msg_${number}` });
    expect(deliveries.list({ status: 'dropped' }).map(({ messageId }) => messageId)).toEqual(['msg_501', 'msg_500']);
    expect(held).toHaveLength(1); // one request at a time
    const drained = deliveries.drain();
    let isOver = false;
    void drained.then(() => {
      isOver = true;
    });
    while (!isOver) {
      held.shift()?.();
      await new Promise(setImmediate);
    }
    expect(deliveries.list({ status: 'delivered' })).toHaveLength(limits.waiting);
  });
});

describe('the control API', () => {
  it('adds, lists and removes endpoints, and refuses what is none', async () => {
    observes('operation listWebhooks', 'operation addWebhook', 'operation removeWebhook');
    observes('operation listDeliveries', 'operation getDelivery');
    const there = await receiver();
    const { sandbox, call, settled } = await told();
    const added = await call('POST /webhooks', { url: there.url, secret, events: ['user.created'] });
    expect(added).toMatchObject({
      url: there.url,
      secret,
      events: ['user.created'],
      status: 'active',
      configured: false,
    });
    await sandbox.users.create({ sub: 'eve' });
    const [delivery] = await settled('delivered');
    expect(await call(`GET /webhooks/deliveries/${delivery?.id}`)).toEqual(delivery);
    expect(await call('GET /webhooks/deliveries?type=user.deleted')).toEqual({ deliveries: [] });
    expect(await call('GET /webhooks/deliveries?status=lost')).toMatchObject({ errors: [{ member: 'status' }] });
    expect((await call('POST /webhooks', { url: there.url })).errors).toMatchObject([{ member: 'url' }]);
    const wrong = await call('POST /webhooks', { url: 'ftp://a', secret: 'whsec_short', events: ['user.made', 5] });
    expect(wrong.errors.map(({ member }: { member: string }) => member)).toEqual(expect.arrayContaining(['events[1]']));
    const worse = await call('POST /webhooks', {
      url: 'http://u:p@host/',
      secret: 'whsec_c2hvcnQ=',
      events: ['user.made'],
    });
    expect(worse.errors.map(({ member, sent }: { member: string; sent?: string }) => [member, sent ?? ''])).toEqual([
      ['url', '"http://***@host/"'],
      ['secret', ''],
      ['events[0]', '"user.made"'],
    ]);
    expect(await call(`DELETE /webhooks/${added.id}`)).toEqual({ removed: added.id });
    expect(await call(`DELETE /webhooks/${added.id}`)).toMatchObject({ status: 404 });
    expect(await call('GET /webhooks/deliveries/dlv_none')).toMatchObject({ status: 404 });
    expect(await call('POST /webhooks/deliveries/dlv_none/resend', {})).toMatchObject({ status: 404 });
  });

  it('forgets endpoints added at run time with a reset, and finished deliveries with the history', async () => {
    const there = await receiver();
    const { sandbox, call, settled, deliveries } = await told();
    await call('POST /webhooks', { url: there.url, secret, events: ['user.*'] });
    await sandbox.users.create({ sub: 'eve' });
    await settled('delivered');
    await sandbox.reset('history');
    expect(await deliveries()).toEqual([]);
    await sandbox.reset();
    expect(await call('GET /webhooks')).toEqual({ webhooks: [] });
  });
});
