import { resolve } from 'node:path';
import { type Command, CommandFailure, done, type World } from '../../client/cli/command.ts';
import { outFile, writeNew } from '../../client/cli/out-file.ts';
import { joined } from './arrange.ts';
import { printConfig } from './print.ts';
import { readImports } from './read-imports.ts';

/** `grantbox import`. */
export const command: Command = {
  usage: '<file or folder> [--out <file>]',
  about: [
    'Turns the JSON export of a Keycloak realm into a clients.config.ts with the preset keycloak, its clients, users and scopes. Of a folder, it reads the exports of all realms and their users. Prints the file to standard output, or writes it with --out. An existing file is not changed.',
    'Reads as well, and tells them by their content: a tenant and users of Auth0, the manifest of an Entra app, users of Firebase and Cognito, and the configurations of mock-oauth2-server, oidc-server-mock and cognito-local, also in a Compose file and in the files that its services mount.',
    'Lists on standard error all that the new file does not have, by its path in the export. The exit code is 0 even so, and 2 for a file that cannot be imported, or of which nothing would be left. Environment variables replace placeholders, in the forms that docs/providers.md lists.',
  ],
  words: { name: 'file', most: 1 },
  flags: [{ name: 'out', value: '<file>', about: 'File to write, ending in .ts or .mts' }],
  examples: [
    [
      'grantbox import shop-realm.json --out clients.config.ts',
      'write a configuration with the clients and users of a realm',
    ],
    ['grantbox import shop-realm.json | less', 'read it first'],
    ['grantbox import docker-compose.yml', 'turn the mock of a Compose file into a configuration'],
  ],
  async run(given, world) {
    const [name] = given.words;
    if (name === undefined) throw new CommandFailure('name the file with the export: grantbox import shop-realm.json');
    const target = outFile(given, world);
    const { text, notes } = await imported(name, world);
    if (target !== undefined) writeNew(target, text);
    const told = notes.length === 0 ? '' : `${headline}\n${notes.map(line => `- ${line}\n`).join('')}`;
    return done(target === undefined ? text : `${target.typed} was written.`, told);
  },
};

const headline = 'The new file does not have all of the export:';

/** The text of the configuration. Notes have the name of their file if there is more than one. */
async function imported(name: string, { cwd, environment }: World) {
  const { imports: found, problems, skipped } = await readImports({ path: resolve(cwd, name), name, env: environment });
  const { imports, config } = joined(found);
  if (problems.length > 0) throw new CommandFailure(problems.join('\n'), 2, advice);
  const titles = [...new Set(imports.map(({ title }) => title))];
  const notes = imports.flatMap(each =>
    each.notes.map(line => (imports.length === 1 ? line : `${each.name}: ${line}`)),
  );
  return { text: printConfig(config, titles.join(' and ')), notes: [...notes, ...skipped] };
}

const advice = 'docs/providers.md says which files can be imported.';
