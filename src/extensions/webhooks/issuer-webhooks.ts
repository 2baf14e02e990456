import type { Lazy } from '../../sandbox/composition/lazily.ts';
import type { Webhooks } from './webhooks.ts';

/** Webhooks of one issuer. Nothing of them is loaded before there is an endpoint, or somebody asks for them. */
export interface IssuerWebhooks extends Lazy<Webhooks> {
  /** Begins if the configuration has an endpoint; also after a reload. Resolves when events are followed. */
  start(): Promise<void>;
  /** Resolves when each message so far has had its first attempt. */
  end(): Promise<void>;
}
