import { isIP } from 'node:net';
import { isRecord } from '../../base/text/record.ts';
import type { Finding } from '../../sandbox/config/problem.ts';
import { addressKind } from '../../server/outbound/address.ts';
import { isWebhookPattern } from './messages.ts';

const members = ['url', 'secret', 'events'];

/** The problems of a list of endpoints. */
export function endpointListFindings(entries: readonly unknown[]): readonly Finding[] {
  const findings = entries.flatMap((entry, index) =>
    endpointFindings(entry).map(each => ({ ...each, path: [index, ...each.path] })),
  );
  if (findings.length > 0) return findings;
  const urls = entries.map(entry => (isRecord(entry) ? entry.url : undefined));
  const twice = urls.findIndex((url, index) => urls.indexOf(url) < index);
  return twice < 0 ? [] : [{ path: [twice], value: urls[twice], expected: 'each URL once' }];
}

/** The problems of an endpoint. A secret is never quoted. */
export function endpointFindings(entry: unknown): readonly Finding[] {
  if (!isRecord(entry))
    return [{ path: [], value: entry, expected: 'a URL, or an object with url, secret and events' }];
  const { url, secret, events } = entry;
  const unknown = Object.keys(entry).filter(name => !members.includes(name));
  return [
    ...unknown.map(name => ({ path: [name], expected: 'url, secret or events' })),
    ...targetFindings(url),
    ...(secret === undefined || isSecret(secret)
      ? []
      : [{ path: ['secret'], expected: 'whsec_ and 24 to 64 bytes in base64' }]),
    ...eventFindings(events),
  ];
}

function targetFindings(url: unknown): readonly Finding[] {
  if (!isTarget(url))
    return [{ path: ['url'], value: url, expected: 'an http or https URL without credentials and #' }];
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const isNeverCalled = isIP(host) > 0 && addressKind(host) === 'forbidden';
  const expected = `an address that is called: ${host} is link-local, a metadata service or otherwise special`;
  return isNeverCalled ? [{ path: ['url'], value: url, expected }] : [];
}

function isTarget(url: unknown): url is string {
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
