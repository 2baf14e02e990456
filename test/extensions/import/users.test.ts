import { describe, expect, it } from 'vitest';
import { importFiles } from './support.ts';

describe('a user whose only name is not ASCII', () => {
  it.each([
    ['Keycloak', { realm: 'harbour', users: [{ username: 'łódź' }] }, '%C5%82%C3%B3d%C5%BA'],
    ['Auth0', [{ username: 'łódź', email: 'pilot@harbour.example' }], 'auth0|%C5%82%C3%B3d%C5%BA'],
    ['Firebase', { users: [{ localId: 'łódź' }] }, '%C5%82%C3%B3d%C5%BA'],
    ['Cognito', { Users: [{ Username: 'łódź', Attributes: [] }] }, '%C5%82%C3%B3d%C5%BA'],
    ['oidc-server-mock', [{ SubjectId: 'łódź' }], '%C5%82%C3%B3d%C5%BA'],
    [
      'mock-oauth2-server',
      {
        tokenCallbacks: [
          { issuerId: 'a', requestMappings: [{ requestParam: 'code', match: '*', claims: { sub: 'łódź' } }] },
        ],
      },
      '%C5%82%C3%B3d%C5%BA',
    ],
  ])('is kept with a `sub` of ASCII, and logs in by the name: %s', async (_, file, sub) => {
    const { config, notes } = await importFiles({ 'file.json': file });
    const [user] = config.users ?? config.issuers?.a?.users ?? [];
    expect(user).toMatchObject({ sub, username: expect.stringContaining('łódź') });
    expect(notes.join('\n')).toContain('`sub` is the name in ASCII here, as OIDC Core §2 demands');
  });
});
