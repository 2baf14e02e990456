import { expect, it } from 'vitest';
import { nearestName } from '../../../src/base/text/nearest.ts';

const known = ['port', 'host', 'client_id', 'redirect_uris', 'signingAlg'];

it.each([
  ['prot', 'port'],
  ['hosts', 'host'],
  ['clientId', 'client_id'],
  ['CLIENT-ID', 'client_id'],
  ['redirect_uri', 'redirect_uris'],
  ['redirecturis', 'redirect_uris'],
  ['signing-alg', 'signingAlg'],
  ['banana', undefined],
  ['x', undefined],
  ['', undefined],
])('%s means %s', (typed, meant) => {
  expect(nearestName(typed, known)).toBe(meant);
});
