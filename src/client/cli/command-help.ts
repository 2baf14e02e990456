import type { Declared, Flag } from './command.ts';

/** Characters per line. */
const width = 100;

/** Writes the help of `grantbox <name> --help`. */
export function commandHelp(name: string, { summary, usage, about, flags, examples }: Declared): string {
  const rows = [
    ...flags.map(flag => [spelt(flag), describe(flag)] as const),
    ['-h, --help', 'Show this help'] as const,
  ];
  const sections = [
    `grantbox ${name}: ${summary}`,
    `Usage:\n  grantbox ${name} ${usage}`,
    ...about.map(paragraph => wrap(paragraph, '').join('\n')),
    `Flags:\n${inColumns(rows)}`,
    ...(examples.length === 0 ? [] : [`Examples:\n${examples.map(exampleText).join('\n\n')}`]),
  ];
  return sections.join('\n\n');
}

function spelt({ name, value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function describe({ about, choices, fallback }: Flag): string {
  const values = choices === undefined ? '' : ` (${choices.join(', ')})`;
  return `${about}${values}${fallback === undefined ? '' : ` [default: ${fallback}]`}`;
}

/** Writes the purpose as a shell comment, so that both lines can be copied. */
function exampleText([line, what]: readonly [string, string]): string {
  return `  # ${what}\n${line
    .split('\n')
    .map(each => `  ${each}`)
    .join('\n')}`;
}

/** Two columns, the second one wrapped. */
export function inColumns(rows: readonly (readonly [string, string])[]): string {
  const column = Math.max(...rows.map(([left]) => left.length)) + 4;
  return rows
    .map(([left, right]) => `  ${left}`.padEnd(column) + wrap(right, ' '.repeat(column)).join('\n').trimStart())
    .join('\n');
}

function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.trim() !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
    }
    line += line === indent ? word : ` ${word}`;
  }
  return [...lines, line];
}
