import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect } from 'vitest';
import type { WebhookDelivery } from '../../../src/extensions/webhooks/control.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import type { SandboxConfig } from '../../../src/sandbox/config/sandbox-config.ts';

export const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** A message as the library of Standard Webhooks has verified it. */
export interface Received {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  readonly data: any;
  /** The body as it came. */
  readonly raw: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** How the next requests are answered; by default each with 204. */
  answer: (req: IncomingMessage, res: ServerResponse) => void;
  /** Waits for so many messages of a type, or of any. */
  until(count: number, type?: string): Promise<readonly Received[]>;
}

const open: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop();
});

/** A receiver on loopback, which verifies each request with the library of Standard Webhooks. */
export async function receiver(key = secret): Promise<Receiver> {
  const webhook = new Webhook(key);
  const received: Received[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString('utf8');
    const message = webhook.verify(raw, req.headers as Record<string, string>) as Omit<Received, 'id' | 'raw'>;
    received.push({ ...message, id: String(req.headers['webhook-id']), raw });
    made.answer(req, res);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  open.push({
    stop: () =>
      new Promise(resolve => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  });
  const made: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    answer: (_req, res) => void res.writeHead(204).end(),
    async until(count, type) {
      const fitting = () => received.filter(each => type === undefined || each.type === type);
      await expect.poll(() => fitting().length).toBeGreaterThanOrEqual(count);
      return fitting();
    },
  };
  return made;
}

export interface Told {
  readonly sandbox: Sandbox;
  /** `method` and path under `/_sandbox`, and the body of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  call(what: string, body?: unknown): Promise<any>;
  deliveries(query?: string): Promise<readonly WebhookDelivery[]>;
  /** Waits until as many deliveries have this status. */
  settled(status: string, count?: number): Promise<readonly WebhookDelivery[]>;
}

/** A sandbox with its control API, stopped after the test. */
export async function told(config: SandboxConfig = {}): Promise<Told> {
  const sandbox = await createSandbox(config);
  open.push(sandbox);
  async function call(what: string, body?: unknown) {
    const [method = '', path = ''] = what.split(' ');
    const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${sandbox.url}/_sandbox${path}`, body === undefined ? { method } : init);
    return response.json();
  }
  const deliveries = async (query = '') => (await call(`GET /webhooks/deliveries${query}`)).deliveries;
  return {
    sandbox,
    call,
    deliveries,
    async settled(status, count = 1) {
      await expect.poll(async () => (await deliveries(`?status=${status}`)).length).toBeGreaterThanOrEqual(count);
      return deliveries(`?status=${status}`);
    },
  };
}
