import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type } from '../../client/cli/support.ts';
import { observes } from '../../observed.ts';
import { realmExport } from '../../support/keycloak-realm.ts';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';

let cwd: string;
beforeAll(() => {
  cwd = newFolder();
  mkdirSync(join(cwd, 'empty'));
  writeFileSync(join(cwd, 'realm.json'), JSON.stringify(realmExport({ users: 5 })));
});

describe('grantbox import', () => {
  it('prints a configuration, and lists what it does not have by the path in the export', async () => {
    observes('command import');
    const { code, out, note } = await type(['import', 'realm.json'], { cwd });
    expect(code).toBe(0);
    expect(out).toContain("preset: { name: 'keycloak', realm: 'shop' },");
    expect(note.split('\n')).toEqual(
      expect.arrayContaining([
        'The new file does not have all of the export:',
        '- registrationAllowed: accounts of users are not managed: there is no registration, mail or account console',
        '- identityProviders: identity brokering is not served: add those users to `users`',
        '- clients: without those that each realm has: account, account-console, admin-cli, broker, realm-management, security-admin-console',
        '- clients["back-end"].attributes["saml.signature.algorithm"]: the sandbox does not speak SAML',
        '- clients["api"]: left out, because a client that is bearer-only never asks for tokens',
        '- users["user0"].attributes.shoeSize and 4 like it: no mapper puts it into a token',
        '- clientScopes["staff"].protocolMappers["oidc-script-based-protocol-mapper "]: scripts are not run',
      ]),
    );
  });

  it('writes a file that a start accepts, and never over one that is there', async () => {
    observes('command import --out');
    const argv = ['import', 'realm.json', '--out', 'clients.config.ts'];
    expect(await type(argv, { cwd })).toMatchObject({ code: 0, out: 'clients.config.ts was written.\n' });
    const config = await loadConfig({ cwd });
    expect(config).toMatchObject({
      preset: { name: 'keycloak', options: { realm: 'shop' } },
      accessTokenLifetime: 600,
      clients: [{ client_id: 'web' }, { client_id: 'back-end' }],
    });
    writeFileSync(join(cwd, 'clients.config.ts'), 'mine');
    expect(await type(argv, { cwd })).toMatchObject({ code: 1, out: '' });
    expect(readFileSync(join(cwd, 'clients.config.ts'), 'utf8')).toBe('mine');
  });

  it.each([
    ['no file', ['import'], 1, 'name the file with the export'],
    [
      'a file that is not there',
      ['import', 'none.json'],
      2,
      'none.json cannot be read (the file or its folder does not exist: ENOENT)',
    ],
    ['a folder without an export', ['import', 'empty'], 2, 'empty has no file that ends in .json'],
    ['a device', ['import', '/dev/zero'], 2, '/dev/zero is a pipe or a device, not a file'],
    ['a target of a different kind', ['import', 'realm.json', '--out', 'a.json'], 1, 'ending in .ts or .mts'],
    ['a target in no folder', ['import', 'realm.json', '--out', 'none/a.ts'], 1, 'none/a.ts cannot be written'],
  ])('ends with a sentence for %s', async (_, argv, code, said) => {
    expect(await type(argv, { cwd })).toMatchObject({ code, out: '', note: expect.stringContaining(said) });
  });

  it.each([
    ['malformed JSON', '{"realm":', 'it is not valid JSON'],
    ['an empty file', '', 'it is not valid JSON'],
    ['a text without an end', `{"realm":"${'x'.repeat(1000)}`, 'it is not valid JSON'],
    ['JSON of a different kind', '{"clients":7}', 'a realm export of Keycloak has a member `realm`'],
    ['a list of a realm and something else', '[{"realm":"a"},7]', 'it is a list of 2 of no known kind'],
    ['a depth of 100,000', `{"realm":"a","groups":${'['.repeat(100_000)}`, 'nested more than 100 levels deep'],
    [
      'many values',
      `{"realm":"a","x":[${'{},'.repeat(4_000_000)}0]}`,
      'more than 6 million names, values and brackets',
    ],
  ])('refuses %s with exit code 2', async (_, text, said) => {
    writeFileSync(join(cwd, 'hostile.json'), text);
    expect(await type(['import', 'hostile.json'], { cwd })).toMatchObject({
      code: 2,
      out: '',
      note: expect.stringMatching(/^grantbox import: hostile\.json cannot be imported: /),
    });
    expect((await type(['import', 'hostile.json'], { cwd })).note).toContain(said);
  });

  it('refuses a file of more than 64 MB unread', async () => {
    writeFileSync(join(cwd, 'large.json'), '');
    truncateSync(join(cwd, 'large.json'), 64 * 1024 * 1024 + 1);
    expect(await type(['import', 'large.json'], { cwd })).toMatchObject({
      code: 2,
      note: expect.stringContaining('it is larger than 64 MB'),
    });
  });
});
