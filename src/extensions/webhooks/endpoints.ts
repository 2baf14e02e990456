import { hash } from 'node:crypto';
import type { AskedEndpoint, WebhookEndpoint } from './control.ts';
import { limits } from './limits.ts';
import { newSecret } from './sign.ts';

/** The receivers of one issuer. */
export type Endpoints = ReturnType<typeof createEndpoints>;

export function createEndpoints(configured: readonly AskedEndpoint[]) {
  const byId = new Map<string, WebhookEndpoint>();

  /** Takes the configured endpoints, in place of the former ones. Generated secrets stay. */
  function configure(asked: readonly AskedEndpoint[], added: 'keep' | 'remove'): void {
    const before = new Map(byId);
    for (const each of before.values()) if (each.configured || added === 'remove') byId.delete(each.id);
    for (const each of asked) {
      const endpoint = endpointOf(each, true);
      const { secret = endpoint.secret } = each.secret === undefined ? (before.get(endpoint.id) ?? {}) : {};
      byId.set(endpoint.id, { ...endpoint, secret });
    }
  }

  configure(configured, 'remove');
  return {
    all: (): readonly WebhookEndpoint[] => [...byId.values()],
    find: (id: string) => byId.get(id),
    add(asked: AskedEndpoint): WebhookEndpoint | { readonly fault: string } {
      const endpoint = endpointOf(asked, false);
      if (byId.has(endpoint.id)) return { fault: 'a URL that is not an endpoint already' };
      if (byId.size >= limits.endpoints) return { fault: `at most ${limits.endpoints} endpoints; remove one first` };
      byId.set(endpoint.id, endpoint);
      return endpoint;
    },
    remove: (id: string) => byId.delete(id),
    /** Takes over an endpoint of another replica; undefined for one that was removed. */
    put: (id: string, endpoint: WebhookEndpoint | undefined) =>
      void (endpoint === undefined ? byId.delete(id) : byId.set(id, endpoint)),
    /** `gone`: it answered 410, and nothing more is sent to it. */
    mark(id: string, status: WebhookEndpoint['status']): void {
      const endpoint = byId.get(id);
      if (endpoint !== undefined) byId.set(id, { ...endpoint, status });
    },
    configure,
  };
}

function endpointOf(
  { url, secret = newSecret(), events = ['*'] }: AskedEndpoint,
  configured: boolean,
): WebhookEndpoint {
  return { id: idOf(url), url, secret, events, status: 'active', configured };
}

function idOf(url: string): string {
  return `ep_${hash('sha256', url, 'hex').slice(0, 12)}`;
}
