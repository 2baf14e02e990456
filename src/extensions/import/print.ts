import { isRecord } from '../../base/text/record.ts';
import { js } from '../../dashboard/snippets/snippets.ts';
import type { SandboxConfig } from '../../sandbox/config/sandbox-config.ts';

/** Writes a configuration as TypeScript; `from` says what it was made of, and `command` by which command. */
export function printConfig(config: SandboxConfig, from: string, command = 'import'): string {
  return [
    `// Made by grantbox ${command} from ${from}.`,
    "import type { SandboxConfig } from 'grantbox';",
    '',
    `export default ${literal(config, '')} satisfies SandboxConfig;`,
    '',
  ].join('\n');
}

const width = 120;

/** A literal on one line if it fits, otherwise a line for each member. Values are JSON, without a member `__proto__`. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return js(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const [open, close, pad] = isRecord(value) ? ['{', '}', ' '] : ['[', ']', ''];
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map(item => literal(item, inner))
    : Object.entries(value).map(([name, member]) => `${nameOf(name)}: ${literal(member, inner)}`);
  if (members.length === 0) return open + close;
  const line = `${open}${pad}${members.join(', ')}${pad}${close}`;
  const isShort = indent !== '' && line.length + indent.length < width && !line.includes('\n');
  return isShort ? line : `${open}\n${members.map(member => `${inner}${member},\n`).join('')}${indent}${close}`;
}

function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : js(name);
}
