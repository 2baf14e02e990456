import { isRecord } from '../text/record.ts';
import { isWebhookPattern } from '../webhooks/webhook-types.ts';
import type { Format } from './formats.ts';
import type { Finding } from './problem.ts';

/** An endpoint that is told of events. */
export interface WebhookEntry {
  /** Where messages are posted: http or https. */
  readonly url: string;
  /** `whsec_` and 24 to 64 bytes in base64. Default: a new one at each start, which the page Webhooks shows. */
  readonly secret?: string;
  /** Types such as `user.created`, groups such as `user.*`, or `*`. Default: all. */
  readonly events?: readonly string[];
}

const expected = 'URLs or endpoints with a url';
const members = ['url', 'secret', 'events'];

/** Endpoints: as text URLs, each with its secret after `#`; in a file also as objects. */
export const webhookList: Format<readonly WebhookEntry[], string | readonly (string | WebhookEntry)[]> = {
  expected,
  values: 'list of URLs',
  jsonSchema: {
    anyOf: [
      { type: 'string', minLength: 1 },
      {
        type: 'array',
        items: {
          anyOf: [
            { type: 'string', minLength: 1 },
            {
              type: 'object',
              properties: {
                url: { type: 'string' },
                secret: { type: 'string' },
                events: { type: 'array', items: { type: 'string' } },
              },
              required: ['url'],
              additionalProperties: false,
            },
          ],
        },
      },
    ],
  },
  isList: true,
  read(raw) {
    const list: unknown = typeof raw === 'string' ? raw.split(/[\s,]+/).filter(text => text !== '') : raw;
    if (!Array.isArray(list)) return { findings: [{ path: [], value: raw, expected }] };
    const entries = list.map(each => (typeof each === 'string' ? withSecret(each) : each));
    const findings = entries.flatMap((entry, index) =>
      webhookFindings(entry).map(each => ({ ...each, path: [index, ...each.path] })),
    );
    const urls = entries.map(entry => (isRecord(entry) ? entry.url : undefined));
    const twice = urls.findIndex((url, index) => urls.indexOf(url) < index);
    if (findings.length === 0 && twice >= 0)
      return { findings: [{ path: [twice], value: urls[twice], expected: 'each URL once' }] };
    return findings.length > 0 ? { findings } : { value: entries as readonly WebhookEntry[] }; // checked
  },
};

/** A fragment is never sent, so that it has room for the secret. */
function withSecret(text: string): WebhookEntry {
  const [url = '', secret] = text.split('#', 2);
  return secret === undefined ? { url } : { url, secret };
}

/** The faults of an endpoint. A secret is never quoted. */
export function webhookFindings(entry: unknown): readonly Finding[] {
  if (!isRecord(entry))
    return [{ path: [], value: entry, expected: 'a URL, or an object with url, secret and events' }];
  const { url, secret, events } = entry;
  const unknown = Object.keys(entry).filter(name => !members.includes(name));
  return [
    ...unknown.map(name => ({ path: [name], expected: 'url, secret or events' })),
    ...(isTarget(url)
      ? []
      : [{ path: ['url'], value: url, expected: 'an http or https URL without credentials and #' }]),
    ...(secret === undefined || isSecret(secret)
      ? []
      : [{ path: ['secret'], expected: 'whsec_ and 24 to 64 bytes in base64' }]),
    ...eventFindings(events),
  ];
}

function isTarget(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url) || url.length > 2000) return false;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && username + password === '' && !url.includes('#');
}

function isSecret(secret: unknown): boolean {
  const [, key = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(String(secret)) ?? [];
  const bytes = Buffer.from(key, 'base64');
  return (
    bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64').replace(/=+$/, '') === key.replace(/=+$/, '')
  );
}

function eventFindings(events: unknown): readonly Finding[] {
  if (events === undefined) return [];
  const isList = Array.isArray(events) && events.length > 0;
  if (!isList) return [{ path: ['events'], value: events, expected: 'a list such as ["user.*", "problem.found"]' }];
  return events.flatMap((each: unknown, index) =>
    typeof each === 'string' && isWebhookPattern(each)
      ? []
      : [
          {
            path: ['events', index],
            value: each,
            expected: 'a type such as user.created, a group such as user.*, or *',
          },
        ],
  );
}
