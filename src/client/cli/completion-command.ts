import { settingsWith } from '../../sandbox/config/settings.ts';
import { type Command, CommandFailure, done, type World } from './command.ts';
import { type Completable, completionScript, type ShellName, shells } from './completion-scripts.ts';
import { healthcheckDeclared } from './healthcheck-command.ts';

/** `grantbox completion`. */
export const command: Command = {
  usage: 'bash | zsh | fish',
  about: [
    'Prints a script that completes commands, flags and their values in a shell. The script needs no running sandbox. Print it again after an update of Grantbox.',
  ],
  words: { name: 'shell', choices: shells, most: 1 },
  flags: [],
  examples: [
    ['source <(grantbox completion bash)', 'bash: in ~/.bashrc'],
    ['source <(grantbox completion zsh)', 'zsh: in ~/.zshrc, after compinit'],
    ['grantbox completion fish > ~/.config/fish/completions/grantbox.fish', 'fish: once'],
  ],
  async run({ words: [word] }, world) {
    const shell = shells.find(each => each === word);
    if (shell === undefined)
      throw new CommandFailure(
        `the name of a shell is missing: use ${shells.join(', ')}, such as grantbox completion bash`,
      );
    return done(completionScript(shell satisfies ShellName, await completables(world)));
  },
};

async function completables({ commands, modules }: World): Promise<readonly Completable[]> {
  const loaded = await Promise.all(
    [...commands].map(async ([name, row]) => {
      const { flags, words } = await row.load();
      return { name, summary: row.summary, flags, words: words?.choices ?? [] };
    }),
  );
  const start = settingsWith(modules).flatMap(({ flag: name, help, format }) =>
    name === undefined ? [] : [{ name, about: help, value: `<${format.values}>`, ...choicesIn(format.values) }],
  );
  return [
    { name: 'start', summary: 'starts the sandbox', flags: start, words: [] },
    { ...healthcheckDeclared, name: 'healthcheck', words: [] },
    ...loaded,
  ];
}

/** The values of a setting whose help lists them: `on, readonly, off`. */
function choicesIn(values: string): { readonly choices?: readonly string[] } {
  const choices = values.split(', ');
  return choices.length > 1 && choices.every(choice => /^[\w-]+$/.test(choice)) ? { choices } : {};
}
