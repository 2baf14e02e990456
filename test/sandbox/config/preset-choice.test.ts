import { expect, it } from 'vitest';
import { all } from '../../../src/providers/all.ts';
import { presetChoice } from '../../../src/sandbox/config/preset-choice.ts';

const format = presetChoice(all);

it.each([
  ['keycloak', { name: 'keycloak', options: { realm: 'demo' } }],
  ['keycloak,realm=shop', { name: 'keycloak', options: { realm: 'shop' } }],
  [
    { name: 'keycloak', realm: 'shop' },
    { name: 'keycloak', options: { realm: 'shop' } },
  ],
  [
    'cognito,pool=eu-west-1_Shop1,issuer=https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Shop1',
    {
      name: 'cognito',
      options: {
        ...{ pool: 'eu-west-1_Shop1', code: '123456', mfa: 'optional' },
        issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Shop1',
      },
    },
  ],
])('reads %j', (raw, value) => {
  expect(format.read(raw)).toEqual({ value });
});

it.each([
  ['keycloack', [], 'keycloak'],
  [17, [], undefined],
  ['keycloak,relm=shop', ['relm'], 'realm'],
  ['keycloak,realm=a/b', ['realm'], undefined],
  ['keycloak,realm=..', ['realm'], undefined],
  [{ name: 'keycloak', realm: 17 }, ['realm'], undefined],
  ['keycloak,realm', ['realm'], undefined],
  ['cognito,pool=shop', ['pool'], undefined],
  ['cognito,issuer=https://a.example/', ['issuer'], undefined],
  ['cognito,issuer=https://a.example/?b', ['issuer'], undefined],
  ['keycloak,realm=a,realm=b', ['realm'], undefined],
  ['', [], undefined],
  [null, [], undefined],
  [['keycloak'], [], undefined],
  [{ realm: 'shop' }, [], undefined],
])('refuses %j and says what it expected', (raw, path, nearest) => {
  expect(format.read(raw)).toMatchObject({ findings: [{ path, ...(nearest === undefined ? {} : { nearest }) }] });
});
