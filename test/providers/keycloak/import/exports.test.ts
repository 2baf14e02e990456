import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { passwordIn } from '../../../../src/extensions/import/keycloak/users.ts';
import { createNotes } from '../../../../src/extensions/import/notes.ts';
import { hashFits } from '../../../../src/protocol/users/password-hash.ts';
import { companyRealm, oldRealm, shopRealm } from '../../../support/keycloak-exports.ts';
import { loadConfig } from '../../../support/load-config.ts';
import { newFolder } from '../../../support/new-folder.ts';

let cwd: string;
beforeAll(() => {
  cwd = newFolder();
  const all: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    shop: { 'shop-realm.json': shopRealm() },
    company: { 'company-realm.json': companyRealm() },
    old: oldRealm(),
  };
  for (const [folder, files] of Object.entries(all)) {
    mkdirSync(join(cwd, folder));
    for (const [name, value] of Object.entries(files)) writeFileSync(join(cwd, folder, name), JSON.stringify(value));
  }
});

const importOf = (folder: string) => loadConfig({ cwd, flags: { import: folder } });

describe('an export in the form of Keycloak', () => {
  it.each([
    ['shop', ['shop-web']],
    ['company', ['portal', 'billing', 'reports']],
    ['old', ['legacy']],
  ])('imports without an unknown member, with all users: %s', async (folder, clients) => {
    const { notes, users, ...config } = await importOf(folder);
    expect(users).toHaveLength(200);
    expect(config.clients.map(({ client_id }) => client_id)).toEqual(clients);
    const lines = notes.flatMap(each => each.notes);
    expect(lines.length).toBeGreaterThan(3);
    expect(
      lines.filter(line => /that this version knows|not known|names a group|is not (?:text|a list)/.test(line)),
    ).toEqual([]);
  });

  it('has the members that the test for unknown ones needs: one that is not known is told', async () => {
    writeFileSync(join(cwd, 'future.json'), JSON.stringify({ ...shopRealm(), newThing: { on: true } }));
    const { notes } = await importOf('future.json');
    expect(notes[0]?.notes).toContain('newThing: not a member of a realm that this version knows');
  });

  it('keeps the passwords of both forms of old exports', async () => {
    const { users } = await importOf('old');
    for (const index of [0, 51, 199]) {
      const { password_hash = '' } = users.find(({ username }) => username === `person${index}`) ?? {};
      expect(await hashFits(password_hash, `password${index}`)).toBe(true);
      expect(await hashFits(password_hash, 'password')).toBe(false);
    }
    // from migration-realm-26.6.0.json of Keycloak, whose tests log in with this password
    const secretData = `{"value":"kNwotFPNeuwelpT1HWt+E4ONXFK6wjd+h0zbzNBRGwOqacAjeY7vYN9QZQ46DlEKSdn04cEU/3RvX8WPcRegxg==","salt":"rEIJDbs+BQqpx31v8mONWA=="}`;
    const credentialData = '{"hashIterations":27500,"algorithm":"pbkdf2-sha256","additionalParameters":{}}';
    const value = [{ type: 'password', secretData, credentialData }];
    const { password_hash = '' } = passwordIn({ path: [], notes: createNotes(), value });
    expect(await hashFits(password_hash, 'password2')).toBe(true);
  });

  it('gives services the roles of their accounts', async () => {
    const { clients } = await importOf('company');
    expect(clients.find(({ client_id }) => client_id === 'billing')).toMatchObject({
      access_token_claims: {
        realm_access: {
          roles: ['reviewer', 'lead', 'employee'],
        },
        resource_access: { backend: { roles: ['write', 'read'] } },
      },
    });
  });
});
