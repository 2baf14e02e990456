import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../src/client/cli/commands.ts';
import { modules } from '../../../src/modules.ts';
import { observes } from '../../observed.ts';
import { shop } from '../../sandbox/config/support.ts';
import { newFolder } from '../../support/new-folder.ts';

const validate = (cwd: string, ...words: string[]) => runCommand('validate', { words, flags: {} }, { modules, cwd });

describe('grantbox validate', () => {
  it('says how much of it there is where nothing is wrong', async () => {
    const cwd = newFolder({ 'clients.config.json': { clients: [shop], port: 0 } });
    expect(await validate(cwd)).toEqual({
      code: 0,
      out: 'clients.config.json: no problems (clients: 1, users: 3)\n',
      note: '',
    });
  });

  it('lists every problem at once, with exit code 1', async () => {
    observes('command validate');
    const cwd = newFolder({ 'ci.json': { prot: 1, clients: [{ ...shop, scope: 5 }] } });
    const { code, out, note } = await validate(cwd, 'ci.json');
    expect([code, out]).toEqual([1, '']);
    expect(note).toContain('The configuration has 2 problems');
    expect(note).toContain('ci.json: prot: expected a known name (did you mean port?)');
    expect(note).toContain('ci.json: clients[0].scope: found 5');
  });

  it('says line and column of each problem of a YAML file', async () => {
    const cwd = newFolder({
      'ci.yaml': 'clients:\n  - client_id: shop\n    scope: 5\nprot: 1\n',
      'bad.yml': 'port: [1\n',
    });
    const { code, note } = await validate(cwd, 'ci.yaml');
    expect(code).toBe(1);
    expect(note).toContain('ci.yaml:3:5: clients[0].scope: found 5');
    expect(note).toContain('ci.yaml:4:1: prot: expected a known name (did you mean port?)');
    expect((await validate(cwd, 'bad.yml')).note).toMatch(/bad\.yml.*YAML that can be read: .*\(line 2, column 1\)/);
  });

  it.each([
    ['no file', [], /there is no clients\.config\.\* in the working directory\. Name the file/],
    ['a file that is not there', ['no.json'], /expected a file that exists/],
  ])('says that there is %s', async (_what, words, said) => {
    const { code, note } = await validate(newFolder(), ...words);
    expect(code).toBe(1);
    expect(note).toMatch(said);
  });
});

it('grantbox schema prints the JSON Schema', async () => {
  observes('command schema');
  const { code, out } = await runCommand('schema', { words: [], flags: {} }, { modules, cwd: newFolder() });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    title: 'Configuration of Grantbox',
    properties: { port: { maximum: 65_535 } },
  });
});
