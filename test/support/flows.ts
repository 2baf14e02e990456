import type { Sandbox } from '../../src/index.ts';
import type { Flow } from '../../src/record/flows/flow.ts';
import { get } from './wire.ts';

/** `POST token 400 pkce_mismatch by code` */
export function stepsOf({ steps }: Flow): string[] {
  return steps.map(({ method, endpoint, status, refusal, joinedBy }) =>
    [method, endpoint, status, ...(refusal === undefined ? [] : [refusal.reason]), `by ${joinedBy}`].join(' '),
  );
}

/** Waits until what was answered is in the log: an answer may be read before its request is over for the server. */
export async function settled({ url, events }: Pick<Sandbox, 'url' | 'events'>): Promise<void> {
  const { lastId } = events;
  await (await get(`${url}/health`)).arrayBuffer();
  await events.waitFor('page.served', ({ endpoint, id }) => endpoint === 'health' && id > lastId);
}
