import type { Format } from '../../sandbox/config/formats.ts';
import { setting } from '../../sandbox/config/setting.ts';

/** An endpoint that is told of events. */
export interface WebhookEntry {
  /** Where messages are posted: http or https. */
  readonly url: string;
  /** `whsec_` and 24 to 64 bytes in base64. Default: a new one at each start, which the page Webhooks shows. */
  readonly secret?: string;
  /** Types such as `user.created`, groups such as `user.*`, or `*`. Default: all. */
  readonly events?: readonly string[];
}

const text = { type: 'string', minLength: 1 };
const expected = 'URLs or endpoints with a url';

/**
 * Endpoints: as text URLs, each with its secret after `#`; in a file also as objects. Their contents are checked by code
 * that is loaded only where there are any.
 */
const webhookList: Format<readonly WebhookEntry[], string | readonly (string | WebhookEntry)[]> = {
  expected,
  values: 'list of URLs',
  jsonSchema: { anyOf: [text, { type: 'array', items: { anyOf: [text, { type: 'object', required: ['url'] }] } }] },
  isList: true,
  read(raw) {
    const list: unknown = typeof raw === 'string' ? raw.split(/[\s,]+/).filter(Boolean) : raw;
    if (!Array.isArray(list)) return { findings: [{ path: [], value: raw, expected }] };
    return { value: list.map(each => (typeof each === 'string' ? withSecret(each) : each)) };
  },
};

/** A fragment is never sent, so that it has room for the secret. */
function withSecret(typed: string): WebhookEntry {
  const [url = '', secret] = typed.split('#', 2);
  return secret === undefined ? { url } : { url, secret };
}

/** As a configuration has them. */
export const webhookSettings = {
  /**
   * Endpoints that are told of users, clients, sessions, tokens and problems, signed as in Standard Webhooks. Default:
   * none.
   */
  webhooks: setting(
    webhookList,
    [],
    'URLs that are told of events (signed webhooks); `#whsec_…` after a URL sets its secret',
    { secret: true, defaultText: 'none', isLive: true },
  ),
};

declare module '../../sandbox/config/extension-tables.ts' {
  interface ExtensionTables {
    readonly webhooks: typeof webhookSettings;
  }
}
