import { expect, it } from 'vitest';
import { presetChoice } from '../../src/config/preset-choice.ts';

it.each([
  ['keycloak', { name: 'keycloak', options: { realm: 'demo' } }],
  ['keycloak,realm=shop', { name: 'keycloak', options: { realm: 'shop' } }],
  [
    { name: 'keycloak', realm: 'shop' },
    { name: 'keycloak', options: { realm: 'shop' } },
  ],
])('reads %j', (raw, value) => {
  expect(presetChoice.read(raw)).toEqual({ value });
});

it.each([
  ['keycloack', [], 'keycloak'],
  [17, [], undefined],
  ['keycloak,relm=shop', ['relm'], 'realm'],
  ['keycloak,realm=a/b', ['realm'], undefined],
  ['keycloak,realm=..', ['realm'], undefined],
  [{ name: 'keycloak', realm: 17 }, ['realm'], undefined],
  ['keycloak,realm', ['realm'], undefined],
  ['keycloak,realm=a,realm=b', ['realm'], undefined],
  ['', [], undefined],
  [null, [], undefined],
  [['keycloak'], [], undefined],
  [{ realm: 'shop' }, [], undefined],
])('refuses %j and says what it expected', (raw, path, nearest) => {
  expect(presetChoice.read(raw)).toMatchObject({ findings: [{ path, ...(nearest === undefined ? {} : { nearest }) }] });
});
