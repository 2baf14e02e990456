import type { Router } from 'express';
import { headerOf } from '../base/events/exchange.ts';
import type { PublicKeyFacts } from '../sandbox/control/key-control.ts';
import { changing } from './form.ts';
import { momentOf } from './moment.ts';
import type { PageContext } from './page.ts';

/** `/keys`: current and former signing keys, and the clients that have read them. */
export function keyPages(router: Router, context: PageContext): void {
  router.get('/keys', async (req, res) => {
    const model = await keysPage(context, context.noticesFor(req).join(' '));
    await context.show(res, { template: 'keys', title: 'Signing keys', nav: 'keys', model });
  });

  router.post(
    '/keys',
    changing(context, async (form, _req, res) => {
      const action = form.get('action');
      if (action !== 'rotate' && action !== 'unpublish') return res.redirect(303, `${context.base}/dashboard/keys`);
      const unpublish = action === 'unpublish';
      await context.control.rotateKeys({ unpublish, by: 'dashboard' });
      const done = unpublish
        ? 'A new key signs, and the old keys are no longer published. Clients that reload the keys refuse older tokens.'
        : 'A new key signs. The old one stays published until its last token has expired.';
      context.leadTo(res, '/dashboard/keys', [done]);
    }),
  );
}

async function keysPage(context: PageContext, done: string) {
  const { control, events, clock, issuer, base, endpoints } = context;
  const now = clock();
  const keys = await control.keys();
  const alive = aliveByKey(context);
  const rotated = events.latest('key.rotated', 1)[0]?.at;
  const jwks = endpoints.find(({ name }) => name === 'jwks')?.path ?? `${base}/oauth2/jwks`;
  return {
    keys: keys.map((key, index) => rowOf(context, key, alive.get(key.kid) ?? 0, index)),
    callers: keyCallers(context, rotated ?? context.startedAt),
    ...(rotated === undefined ? {} : { rotated: momentOf(rotated, now) }),
    jwksUri: new URL(issuer).origin + jwks,
    done,
    // number of tokens that clients refuse after `unpublish`
    broken: keys.reduce((sum, { kid, isPublished }) => sum + (isPublished ? (alive.get(kid) ?? 0) : 0), 0),
    isForgetful: events.count('token.issued') > events.kept('token.issued'),
  };
}

function aliveByKey({ events, clock }: PageContext): ReadonlyMap<string, number> {
  const now = clock();
  const counts = new Map<string, number>();
  for (const { kid, exp } of events.latest('token.issued', Number.POSITIVE_INFINITY)) {
    if (kid !== undefined && exp > now) counts.set(kid, (counts.get(kid) ?? 0) + 1);
  }
  return counts;
}

function rowOf({ events, clock }: PageContext, key: PublicKeyFacts, alive: number, number: number) {
  const { kid, alg, publicKey, publicJwk, isSigning, isPublished, publishedUntil } = key;
  const now = clock();
  const made =
    events.latest('key.created', Number.POSITIVE_INFINITY).find(event => event.kid === kid)?.at ??
    events.latest('key.rotated', Number.POSITIVE_INFINITY).find(event => event.kid === kid)?.at;
  return {
    kid,
    alg,
    use: publicJwk.use,
    alive,
    number,
    state: isSigning ? 'signing' : isPublished ? 'published' : 'not published',
    ...(made === undefined ? {} : { made: momentOf(made, now) }),
    ...(publishedUntil === undefined ? {} : { publishedUntil: momentOf(publishedUntil, now) }),
    jwk: JSON.stringify(publicJwk, null, 2),
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

const mostCallers = 50;

/** Readers of the keys, newest first. `since` is the time of the last rotation in Unix seconds. */
function keyCallers({ events, clock }: PageContext, since: number) {
  const now = clock();
  const callers = new Map<string, { agent: string; ip: string; at: number; count: number }>();
  for (const { endpoint, exchange, at } of events.latest('request.completed', Number.POSITIVE_INFINITY)) {
    if (endpoint !== 'jwks') continue;
    const agent = headerOf(exchange.requestHeaders, 'user-agent') ?? 'without a User-Agent';
    const key = `${exchange.ip} ${agent}`;
    const known = callers.get(key);
    callers.set(key, { agent, ip: exchange.ip, at: known?.at ?? at, count: (known?.count ?? 0) + 1 });
  }
  return [...callers.values()].slice(0, mostCallers).map(({ agent, ip, at, count }) => ({
    agent,
    ip,
    count,
    last: momentOf(at, now),
    isCurrent: at >= since,
  }));
}
