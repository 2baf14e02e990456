import { settingsWith } from '../../sandbox/config/settings.ts';
import { type Command, CommandFailure, done, type Flag, type World } from './command.ts';
import { healthcheckDeclared } from './healthcheck-command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type ShellName = (typeof shells)[number];

/** The parts of a command that a shell completes. */
export interface Completable {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** The words that may follow the name. */
  readonly words: readonly string[];
}

/** Writes the completion script for a shell. Before a command is typed, it completes the flags of `start`. */
function completionScript(shell: ShellName, commands: readonly Completable[]): string {
  const all = commands.map(command => ({ ...command, flags: [...command.flags, help] }));
  return { bash, zsh, fish }[shell](all);
}

const help: Flag = { name: 'help', about: 'Show the help of the command' };

/** Flags whose value is a file, because the shell itself completes file names. */
function isFile({ name, value = '' }: Flag): boolean {
  return /<(file|path)>/.test(value) || name === 'output';
}

function bash(commands: readonly Completable[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const valueCases = commands.flatMap(({ name, flags }) =>
    flags.flatMap(flag => {
      if (flag.value === undefined) return [];
      const values = `COMPREPLY=($(compgen -W '${(flag.choices ?? []).join(' ')}' -- "$word"))`;
      return [`    '${name} --${flag.name}') ${isFile(flag) ? '_grantbox_files "$word"' : values}; return ;;`];
    }),
  );
  const wordCases = commands.map(({ name, flags, words }) => {
    const offered = [...words, ...flags.map(flag => `--${flag.name}`)].join(' ');
    return `    ${name}) COMPREPLY=($(compgen -W '${offered}' -- "$word")) ;;`;
  });
  return `# bash completion of grantbox
_grantbox_files() {
  local IFS=$'\\n'
  compopt -o filenames 2> /dev/null
  COMPREPLY=($(compgen -f -- "$1"))
}
_grantbox() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=start
  COMPREPLY=()
  [[ $before == = ]] && before=\${COMP_WORDS[COMP_CWORD-2]}
  [[ $word == = ]] && word=
  case \${COMP_WORDS[1]} in
    ${names.replaceAll(' ', '|')}) ((COMP_CWORD > 1)) && command=\${COMP_WORDS[1]} ;;
  esac
  case "$command $before" in
${valueCases.join('\n')}
  esac
  if ((COMP_CWORD == 1)) && [[ $word != -* ]]; then
    COMPREPLY=($(compgen -W '${names}' -- "$word"))
    return
  fi
  case $command in
${wordCases.join('\n')}
  esac
}
complete -F _grantbox grantbox`;
}

/** Quotes text for `_arguments` of zsh, where brackets and colons have a meaning. */
function zsh(commands: readonly Completable[]): string {
  const plain = (text: string) => text.replace(/['[\]:\\]/g, ' ');
  const spec = (flag: Flag) => {
    const about = `[${plain(flag.about)}]`;
    const many = flag.isList === true ? '*' : '';
    if (flag.value === undefined) return `'${many}--${flag.name}${about}'`;
    const values = flag.choices === undefined ? ' ' : `(${flag.choices.join(' ')})`;
    return `'${many}--${flag.name}=${about}:value:${isFile(flag) ? '_files' : values}'`;
  };
  const cases = commands.map(({ name, flags, words }) => {
    const specs = [...flags.map(spec), ...(words.length === 0 ? [] : [`'*:word:(${words.join(' ')})'`])];
    return `    ${name}) _arguments ${specs.join(' ')} ;;`;
  });
  const described = commands.map(({ name, summary }) => `'${name}:${plain(summary)}'`).join(' ');
  return `#compdef grantbox
_grantbox() {
  local -a commands=(${described})
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  local command=start
  if [[ $words[2] != -* ]]; then
    command=$words[2]
    shift words
    ((CURRENT--))
  fi
  case $command in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _grantbox ]]; then _grantbox "$@"; else compdef _grantbox grantbox; fi`;
}

function fish(commands: readonly Completable[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const names = commands.map(({ name }) => name).join(' ');
  const others = commands.flatMap(({ name }) => (name === 'start' ? [] : [name])).join(' ');
  const lines = commands.flatMap(({ name, summary, flags, words }) => {
    const isHere =
      name === 'start' ? `not __fish_seen_subcommand_from ${others}` : `__fish_seen_subcommand_from ${name}`;
    const own = flags.map(flag => {
      const value =
        flag.value === undefined ? '' : isFile(flag) ? ' -r -F' : ` -x -a '${(flag.choices ?? []).join(' ')}'`;
      return `complete -c grantbox -n '${isHere}' -l ${flag.name} -d ${quoted(flag.about)}${value}`;
    });
    return [
      `complete -c grantbox -n 'not __fish_seen_subcommand_from ${names}' -a ${name} -d ${quoted(summary)}`,
      ...(words.length === 0 ? [] : [`complete -c grantbox -n '${isHere}' -a '${words.join(' ')}'`]),
      ...own,
    ];
  });
  return ['# fish completion of grantbox', 'complete -c grantbox -f', ...lines].join('\n');
}

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
