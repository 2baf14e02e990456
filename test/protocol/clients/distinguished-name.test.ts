import { expect, it } from 'vitest';
import { sameName, toRfc4514 } from '../../../src/protocol/clients/tls-client-authentication.ts';

it.each([
  ['the same text', 'CN=client,O=Example,C=DE', 'CN=client,O=Example,C=DE'],
  ['space around separators', 'CN=client, O=Example , C = DE', 'CN=client,O=Example,C=DE'],
  ['another case', 'cn=Client,o=EXAMPLE', 'CN=client,O=Example'],
  ['folded white space', 'CN=my  client', 'CN=my client'],
  ['an escaped comma, by character and in hexadecimal', 'CN=a\\, b', 'CN=a\\2C b'],
  ['an escaped plus sign', 'CN=1\\+1', 'CN=1\\2b1'],
  ['UTF-8 and its escapes', 'CN=Zo\\C3\\AB', 'CN=Zoë'],
  ['a value in hexadecimal', 'CN=#0c0161', 'CN=a'],
  ['types by number', '2.5.4.3=client,OID.2.5.4.10=Example', 'CN=client,O=Example'],
  ['older spellings of types', 'CN=client,S=Bavaria,E=a@b.example', 'CN=client,ST=Bavaria,emailAddress=a@b.example'],
  ['attributes of one part in any order', 'CN=a+OU=b,O=c', 'OU=b+CN=a,O=c'],
  ['an escaped space at the end', 'CN=a\\ ', 'CN=a'],
  ['backslashes, each escaped, before a comma', 'CN=a\\\\,O=b', 'CN=a\\5C,O=b'],
  ['white space up to the longest a name may be', `CN=a${' '.repeat(1020)}`, 'CN=a'],
])('is the same name with %s', (_, expected, actual) => {
  expect(sameName(expected, actual)).toBe(true);
});

it.each([
  ['another value', 'CN=client', 'CN=client2'],
  ['the parts in another order', 'CN=client,O=Example', 'O=Example,CN=client'],
  ['one part more', 'CN=client', 'CN=client,O=Example'],
  ['one part less', 'CN=client,O=Example', 'CN=client'],
  ['two parts in place of one with two attributes', 'CN=a+OU=b', 'CN=a,OU=b'],
  ['a comma that is part of the value', 'CN=a,O=b', 'CN=a\\,O=b'],
  ['another type', 'CN=client', 'OU=client'],
])('is another name with %s', (_, expected, actual) => {
  expect(sameName(expected, actual)).toBe(false);
});

it('is no name where it is longer than 1 kB, on either side', () => {
  const long = `CN=${'a'.repeat(1021)}`;
  expect(sameName(`${long}a`, 'CN=a')).toBeUndefined();
  expect(sameName('CN=a', `${long}a`)).toBe(false);
  expect(sameName(long, long)).toBe(true);
});

it.each(['', 'client', 'CN=a,', 'CN=a,,O=b', '=a', 'CN=a\\', 'CN=a\\z', '/CN=client/O=Example'])(
  'is no name at all: %j',
  text => {
    expect(sameName(text, 'CN=client')).toBeUndefined();
  },
);

it('writes the subject of a certificate as RFC 4514 does: the most exact part first', () => {
  expect(toRfc4514('C=DE\nO=Example\nCN=a\\, b + OU=c')).toBe('CN=a\\, b+OU=c,O=Example,C=DE');
});
