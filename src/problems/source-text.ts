// Text to copy: configuration, commands, and what an app has to say.
import type { Case } from './case.ts';
import type { FixSnippet } from './problem.ts';

/** A value as TypeScript has it; lists of more than one line by line. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return listLiteral(value, indent);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const members = Object.entries(value).map(
    ([name, each]) => `${inner}${memberName(name)}: ${literal(each, inner)},\n`,
  );
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`;
}

function listLiteral(values: readonly unknown[], indent: string): string {
  if (values.length < 2) return `[${values.map(each => literal(each, indent)).join('')}]`;
  const inner = `${indent}  `;
  return `[\n${values.map(each => `${inner}${literal(each, inner)},\n`).join('')}${indent}]`;
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** The members of a client that change, as its entry in `clients.config.ts` has them; `null` is a member to be taken out. */
export function clientLines(client_id: string, members: Readonly<Record<string, unknown>>): FixSnippet {
  const lines = Object.entries(members).map(([name, value]) =>
    value === null ? `// without ${name}` : `${name}: ${literal(value)},`,
  );
  return { where: 'clients.config.ts', code: [`client_id: ${literal(client_id)},`, ...lines].join('\n') };
}

/** A setting of the sandbox. */
export function environment(name: string, value: string): FixSnippet {
  return { where: 'environment', code: `${name}=${value}` };
}

/** What the app has to say. */
export function inApp(code: string): FixSnippet {
  return { where: 'your app', code };
}

/** Members of a form that are nobody's business: whoever copies the command has them. */
const secrets: Readonly<Record<string, string>> = {
  client_secret: 'CLIENT_SECRET',
  client_assertion: 'CLIENT_ASSERTION',
  code: 'CODE',
  code_verifier: 'CODE_VERIFIER',
  refresh_token: 'REFRESH_TOKEN',
  device_code: 'DEVICE_CODE',
  auth_req_id: 'AUTH_REQ_ID',
  password: 'PASSWORD',
  assertion: 'ASSERTION',
  subject_token: 'SUBJECT_TOKEN',
  actor_token: 'ACTOR_TOKEN',
  token: 'TOKEN',
  id_token_hint: 'ID_TOKEN',
};

type Parameters = Iterable<readonly [name: string, value: string]>;

/** A form as curl sends it, with variables for what is secret. */
export function curlForm(url: string, parameters: Parameters, options: readonly string[] = []): FixSnippet {
  const data = [...parameters].map(([name, value]) => {
    const variable = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
    const argument = variable === undefined ? shellQuoted(`${name}=${value}`) : `"${name}=$${variable}"`;
    return `--data-urlencode ${argument}`;
  });
  return { where: 'curl', code: [`curl ${shellQuoted(url)}`, ...options, ...data].join(' \\\n  ') };
}

export function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Where an endpoint is, as its callers have to call it. */
export function endpointUrl({ known }: Pick<Case, 'known'>, name: string): string {
  const path = known.endpoints.find(each => each.name === name)?.path ?? '';
  return `${new URL(known.issuer).origin}${path}`;
}
