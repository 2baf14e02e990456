import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createBackchannelCheck, createHostCheck } from '../../../src/server/http/hosts.ts';

function requestFor(host: string | undefined): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  if (host !== undefined) request.headers.host = host;
  return request;
}

it.each([
  ['http://idp:9000', 'idp:9000', true],
  ['http://idp:9000', 'IDP:9000', true],
  ['http://idp:9000/tenant', 'idp:9000', true],
  ['http://idp', 'idp', true],
  ['http://idp', 'idp:80', true],
  ['https://idp', 'idp:443', true],
  ['http://[::1]:9000', '[::1]:9000', true],
  ['http://idp:9000', 'idp', false],
  ['http://idp:9000', 'idp:9001', false],
  ['http://idp:9000', 'localhost:9000', false],
  ['https://idp', 'idp:80', false],
  ['http://idp:9000', undefined, false],
  [undefined, 'idp:9000', false],
  [undefined, undefined, false],
])('with back ends at %s, a request for %s is one of theirs: %s', (url, host, expected) => {
  expect(createBackchannelCheck(url)(requestFor(host))).toBe(expected);
});

it.each(['idp:9000', 'idp', 'login.test', '[2001:db8::1]:9000', 'other:1'])(
  'serves each of its addresses: %s',
  host => {
    const isAllowed = createHostCheck(
      ['https://login.test/tenant', 'http://[2001:db8::1]', 'http://idp:9000'],
      ['other'],
    );
    expect(isAllowed(host)).toBe(true);
    expect(isAllowed(`x${host}`)).toBe(false);
  },
);
