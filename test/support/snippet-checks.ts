import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { parse } from 'yaml';
import { isRecord } from '../../src/base/text/record.ts';

const run = promisify(execFile);

/** How a block of a language is checked that is not run; it throws if something is wrong. */
export const snippetChecks: Readonly<Record<string, (text: string) => unknown>> = {
  js: text => transform(text, { loader: 'js' }),
  json: checkJson,
  http: checkHttp,
  sh: text => run('bash', ['-n', '-c', text]),
  ts: checkTypeScript,
  tsx: text => transform(text, { loader: 'tsx' }),
  yaml: checkYaml,
};

/** Languages whose tools this repository does not have. */
export const unchecked = ['csharp', 'java', 'python', 'svelte', 'text', 'vue'];

/** Members of an object or elements of a list are a fragment of a file; everything else is a module. */
async function checkTypeScript(text: string): Promise<void> {
  const forms = [text, `export default {\n${text}\n};`, `export default [\n${text}\n];`];
  const tried = await Promise.allSettled(forms.map(form => transform(form, { loader: 'ts' })));
  const [first] = tried;
  if (first?.status === 'rejected' && tried.every(({ status }) => status === 'rejected')) throw first.reason;
}

/** `…` stands for omitted text. */
function checkJson(text: string): void {
  JSON.parse(text.replaceAll(/,…/g, ''));
}

function checkHttp(text: string): void {
  const [first = '', ...rest] = text.split('\n');
  if (!/^(HTTP\/1\.1 \d{3} [A-Z]|(?:GET|POST|PUT|PATCH|DELETE) \/)/.test(first))
    throw new Error(`no start line: ${first}`);
  const end = rest.indexOf('');
  const headers = end === -1 ? rest : rest.slice(0, end);
  const invalid = headers.find(line => !/^[A-Za-z-]+: \S/.test(line));
  if (invalid !== undefined) throw new Error(`no header: ${invalid}`);
}

/** Compose files and workflows also have the parts without which they do nothing. */
function checkYaml(text: string): void {
  const file: unknown = parse(text, { strict: true });
  if (!isRecord(file)) throw new Error('no mapping');
  for (const [name, service] of Object.entries(isRecord(file.services) ? file.services : {})) {
    if (!isRecord(service) || !('image' in service || 'build' in service)) {
      throw new Error(`the service ${name} has neither image nor build`);
    }
  }
}
