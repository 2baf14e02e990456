/** A receiver of webhooks. */
export interface WebhookEndpoint {
  /** `ep_…`, made from its URL, so that it is the same at each start. */
  readonly id: string;
  readonly url: string;
  /** `whsec_…` and base64. */
  readonly secret: string;
  /** Types, or groups of them: `user.*`, `*`. */
  readonly events: readonly string[];
  /** `gone`: it answered 410, and gets nothing more. */
  readonly status: 'active' | 'gone';
  /** True if it comes from the configuration. */
  readonly configured: boolean;
}

/** `dropped`: too many deliveries were waiting, or the endpoint was removed. */
export type DeliveryStatus = 'waiting' | 'delivered' | 'failed' | 'dropped';

/** One request to an endpoint, and its answer. */
export interface DeliveryAttempt {
  /** Unix seconds of the real time. */
  readonly at: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent if there was no answer. */
  readonly status?: number;
  readonly milliseconds?: number;
  /** The beginning of the answer. */
  readonly answer?: string;
  /** Why it does not count as delivered. */
  readonly failure?: string;
}

/** One message for one endpoint. */
export interface WebhookDelivery {
  /** `dlv_…` */
  readonly id: string;
  readonly endpointId: string;
  readonly url: string;
  readonly messageId: string;
  readonly type: string;
  readonly body: string;
  readonly status: DeliveryStatus;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Unix seconds of the sandbox's clock; absent if there is none. */
  readonly nextAttemptAt?: number;
  /** Unix seconds of the sandbox's clock. */
  readonly createdAt: number;
}

/** A receiver as a caller describes it. */
export interface AskedEndpoint {
  readonly url: string;
  readonly secret?: string | undefined;
  readonly events?: readonly string[] | undefined;
}

export interface DeliveryQuery {
  readonly endpoint?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly type?: string | undefined;
  readonly limit?: number | undefined;
}

/** Webhooks of one issuer: one implementation for the page and the control API. */
export interface WebhookControl {
  endpoints(): readonly WebhookEndpoint[];
  /** The new endpoint; or a sentence about why there is none. The values were checked. */
  add(asked: AskedEndpoint): WebhookEndpoint | { readonly fault: string };
  /** False if there is no such endpoint. Its waiting deliveries are dropped. */
  remove(id: string): boolean;
  /** Newest first. */
  deliveries(query?: DeliveryQuery): readonly WebhookDelivery[];
  delivery(id: string): WebhookDelivery | undefined;
  /** Begins the attempts of a delivery again, with the same `webhook-id`; undefined if there is no such delivery or endpoint. */
  resend(id: string): WebhookDelivery | undefined;
}
