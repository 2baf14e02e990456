import { loadConfig } from '../../sandbox/config/load-config.ts';
import { type Command, CommandFailure, done, type ProgramModules } from './command.ts';

/** `grantbox validate`. */
export const command = ({ extensions }: ProgramModules): Command => ({
  usage: '[<file>]',
  about: [
    `Reads a configuration file like the server does and lists all of its problems at once, without starting a server. It also ${['lists entries without effect, such as a claim that no scope releases, with the line to add', ...extensions.flatMap(({ counted }) => counted?.about ?? [])].join(', and ')}. It does not read the environment. Without an argument it reads clients.config.* in the working directory.`,
  ],
  words: { name: 'file', most: 1 },
  flags: [],
  examples: [
    ['grantbox validate', 'check the file in this folder'],
    ['grantbox validate ci/clients.config.json', 'check a different file; exit code 1 if it has problems'],
  ],
  async run({ words: [file] }, { cwd, modules }) {
    const config = await loadConfig({ modules, cwd, flags: file === undefined ? {} : { config: file } });
    const { configFile, clients, users, issuers } = config;
    const counted = await Promise.all(extensions.map(each => each.counted?.count(config) ?? {}));
    const besides: Readonly<Record<string, number>> = Object.assign({}, ...counted);
    const missing = 'there is no clients.config.* in the working directory';
    if (configFile === undefined && Object.keys(besides).length === 0)
      throw new CommandFailure(missing, 1, 'Name the file.');
    const numbers = { 'more issuers': issuers.length, ...besides };
    const more = Object.entries(numbers).map(([name, count]) => (count === 0 ? '' : `, ${name}: ${count}`));
    const found = await Promise.all([config, ...issuers.map(each => each.config)].map(each => each.withoutEffect?.()));
    const idle = found.flatMap(lines => lines ?? []).map(line => `\n  - ${line}`);
    const told = idle.length === 0 ? '' : `\nWithout effect:${idle.join('')}`;
    if (configFile === undefined) return done(`no problems (${more.join('').slice(2)}); ${missing}`);
    return done(
      `${configFile}: no problems (clients: ${clients.length}, users: ${users.length}${more.join('')})${told}`,
    );
  },
});
