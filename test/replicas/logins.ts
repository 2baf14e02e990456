import { answer, asSensor, login, post, redeem, type Tokens } from '../support/wire.ts';

/** A login that has come to its code. */
export async function codeOf(url: string, sub = 'alice'): Promise<string> {
  const answered = await answer(url, await login(url, sub));
  const code = answered.get('code');
  if (code === null) throw new Error(`no code: ${answered}`);
  return code;
}

export interface Redeemed {
  readonly status: number;
  /** True if an earlier attempt got no answer of a replica, so that nobody knows what became of it. */
  readonly isRepeated: boolean;
  readonly tokens?: Tokens;
}

/** Sends the code until a replica answers, as a client with retries does. */
export async function redeemUntilAnswered(url: string, code: string): Promise<Redeemed> {
  for (let isRepeated = false; ; isRepeated = true) {
    const response = await redeem(url, code).catch(() => undefined);
    const status = response?.status ?? 0;
    const text = await response?.text().catch(() => undefined);
    if (text === undefined || status === 502 || status === 503 || status === 504) continue;
    return { status, isRepeated, ...(status === 200 ? { tokens: JSON.parse(text) as Tokens } : {}) };
  }
}

/** A token of the client `sensor`, for itself. */
export const machineToken = (url: string) =>
  post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization: asSensor });

/** Calls `once` again and again, `width` at a time, until it is stopped. */
export function load(width: number, once: () => Promise<void>): { stop(): Promise<void> } {
  let isOver = false;
  async function loop(): Promise<void> {
    while (!isOver) await once();
  }
  const loops = Array.from({ length: width }, loop);
  const all = Promise.all(loops);
  all.catch(() => {}); // `stop` tells
  return {
    async stop() {
      isOver = true;
      await all;
    },
  };
}
