// Text to copy: configuration, commands and requests of an app.
import type { Case } from './case.ts';
import type { FixSnippet } from './problem.ts';

/** Writes a value as TypeScript. A list with more than one item has one line for each. */
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

/** Writes changed members of a client for `clients.config.ts`. `null` removes a member. */
export function clientLines(client_id: string, members: Readonly<Record<string, unknown>>): FixSnippet {
  const lines = Object.entries(members).map(([name, value]) =>
    value === null ? `// without ${name}` : `${name}: ${literal(value)},`,
  );
  return { where: 'clients.config.ts', code: [`client_id: ${literal(client_id)},`, ...lines].join('\n') };
}

/** Writes a setting of the sandbox as an environment variable. */
export function environment(name: string, value: string): FixSnippet {
  return { where: 'environment', code: `${name}=${value}` };
}

/** Marks code for the app. */
export function inApp(code: string): FixSnippet {
  return { where: 'your app', code };
}

/** Secret members of a form, with the shell variable that replaces each in a copied command. */
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

/** Writes a form as a curl command, with variables for secrets. */
export function curlForm(url: string, parameters: Parameters, options: readonly string[] = []): FixSnippet {
  const data = [...parameters].map(([name, value]) => {
    const variable = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
    const argument = variable === undefined ? shellQuoted(`${name}=${value}`) : `"${name}=$${variable}"`;
    return `--data-urlencode ${argument}`;
  });
  return { where: 'curl', code: [`curl ${shellQuoted(url)}`, ...options, ...data].join(' \\\n  ') };
}

/** Quotes a value for a shell if it needs quotes. */
export function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the address of an endpoint on the host of the issuer. */
export function endpointUrl({ known }: Pick<Case, 'known'>, name: string): string {
  const path = known.endpoints.find(each => each.name === name)?.path ?? '';
  return `${new URL(known.issuer).origin}${path}`;
}
