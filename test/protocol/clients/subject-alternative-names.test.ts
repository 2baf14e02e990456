import { describe, expect, it } from 'vitest';
import { alternativeNames, sameAlternativeName } from '../../../src/protocol/clients/tls-client-authentication.ts';

describe('the alternative names of a certificate', () => {
  it('are read with their kinds', () => {
    const line = 'DNS:client.example, IP Address:127.0.0.1, URI:https://client.example/a?b, email:me@client.example';
    expect(alternativeNames(line)).toEqual([
      ['dns', 'client.example'],
      ['ip', '127.0.0.1'],
      ['uri', 'https://client.example/a?b'],
      ['email', 'me@client.example'],
    ]);
  });

  it('hide no other name in quotes', () => {
    expect(alternativeNames('DNS:"evil.example\\u002c DNS:client.example"')).toEqual([
      ['dns', 'evil.example, DNS:client.example'],
    ]);
  });

  it('have no kind where a client cannot be known by them', () => {
    expect(alternativeNames('othername:<unsupported>, DNS:a')).toEqual([
      [undefined, '<unsupported>'],
      ['dns', 'a'],
    ]);
  });

  it.each([undefined, '', 'DNS', 'DNS:"a', 'DNS:a"b, DNS:c', 'DNS:a,DNS:b'])('are none in %j', line => {
    expect(alternativeNames(line)).toEqual([]);
  });
});

it.each([
  ['dns', 'Client.example', 'client.EXAMPLE', true],
  ['dns', 'client.example', '*.example', false],
  ['ip', '::1', '0:0:0:0:0:0:0:1', true],
  ['ip', 'fd00::A', 'FD00:0:0:0:0:0:0:A', true],
  ['ip', '127.0.0.1', '127.0.0.2', false],
  ['uri', 'https://client.example/a', 'https://client.example/A', false],
  ['email', 'me@Client.example', 'me@client.example', true],
  ['email', 'Me@client.example', 'me@client.example', false],
] as const)('compares a name of kind %s: %s with %s', (kind, registered, presented, same) => {
  expect(sameAlternativeName(kind, registered, presented)).toBe(same);
});
