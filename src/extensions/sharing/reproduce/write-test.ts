import { js, oneLine } from '../../../dashboard/snippets/snippets.ts';
import type { SandboxConfig } from '../../../sandbox/config/sandbox-config.ts';
import type { ChosenPart } from './choose.ts';
import type { Steps } from './steps.ts';

export type Runner = 'vitest' | 'playwright';

interface Parts {
  readonly runner: Runner;
  /** The name of the file, as typed. */
  readonly file: string;
  readonly chosen: ChosenPart;
  readonly config: SandboxConfig;
  readonly steps: Steps;
}

/** Writes a test that repeats the client's part of a session, and fails as the session did. */
export function testText({ runner, file, chosen, config, steps }: Parts): string {
  const { uses, lines } = steps;
  const body = [...beforeSteps(lines), ...lines, ...silenceLines(chosen)];
  const text = body.join('\n');
  const title = oneLine(chosen.title).replaceAll('`', '');
  const parts = [
    headOf(title, oneLine(file), steps, chosen),
    importsOf(runner, uses),
    `const issuerConfig: ShortLivedConfig = ${objectText(config)};`,
    runner === 'vitest' ? 'const test = base.extend({ issuerConfig });' : 'test.use({ issuerConfig });',
    valuesOf(uses),
    `test(${js(title)}, async ({ issuer }) => {\n${text.replace(/^(?=.)/gm, '  ')}\n});`,
    callHelper,
    ...(text.includes('await visit(') ? [visitHelper] : []),
  ];
  return `${parts.filter(part => part !== '').join('\n\n')}\n`;
}

/** JSON with names as one writes them in TypeScript. A line feed in a value is escaped, so that each line begins with a name. */
function objectText(value: object): string {
  return JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');
}

function headOf(title: string, file: string, { refusal }: Steps, { problem }: ChosenPart): string {
  const silence = problem?.kind === 'silent' ? `the problem ${problem.reason} is found again` : '';
  const outcome = refusal === '' ? silence : refusal;
  const fails =
    outcome === ''
      ? ['Nothing was refused in the session, so that the test passes.']
      : [
          `It fails as the session did: ${oneLine(outcome)}.`,
          'Mend what the client sends, or the client in issuerConfig, until it passes.',
        ];
  const lines = [
    `${title}. Made by grantbox reproduce from ${file}.`,
    '',
    'The test repeats what the client sent, with the users, the client and the clock of the session. Redacted values are',
    'replaced: codes and tokens are those of the sandbox of the test, verifiers and secrets are made up.',
    ...fails,
  ];
  return lines.map(line => `// ${line}`.trimEnd()).join('\n');
}

function importsOf(runner: Runner, uses: Steps['uses']): string {
  const needed = [
    ...(uses.has('s256') ? ['createHash'] : []),
    ...(uses.has('randomBytes') || uses.has('wrongVerifier') ? ['randomBytes'] : []),
  ];
  return [
    ...(needed.length === 0 ? [] : [`import { ${needed.join(', ')} } from 'node:crypto';`]),
    "import type { ShortLivedConfig } from 'grantbox';",
    ...(runner === 'vitest'
      ? ["import { test as base } from 'grantbox/vitest';", "import { expect } from 'vitest';"]
      : ["import { expect, test } from 'grantbox/playwright';"]),
  ].join('\n');
}

function valuesOf(uses: Steps['uses']): string {
  const random = "randomBytes(32).toString('base64url')";
  return [
    ...(uses.has('wrongVerifier')
      ? [`const wrongVerifier = ${random}; // as in the session: not the verifier of the sign-in`]
      : []),
    ...(uses.has('s256')
      ? ["const s256 = (text: string) => createHash('sha256').update(text).digest('base64url');"]
      : []),
    ...(uses.has('basic')
      ? ["const basic = (...pair: readonly string[]) => 'Basic ' + btoa(pair.map(encodeURIComponent).join(':'));"]
      : []),
  ].join('\n');
}

function beforeSteps(lines: readonly string[]): string[] {
  const isMoved = lines.some(line => line.startsWith('await issuer.clock.'));
  const isNamed = lines.some(line => line.includes('metadata.'));
  const before = [
    ...(isMoved ? ['await issuer.clock.freeze();'] : []),
    ...(isNamed ? ["const { json: metadata } = await call(issuer.issuer + '/.well-known/openid-configuration');"] : []),
  ];
  return before.length === 0 ? [] : [...before, ''];
}

/** A failure without a refusal is a problem that the sandbox finds in what the client did. */
function silenceLines({ problem }: ChosenPart): string[] {
  if (problem?.kind !== 'silent') return [];
  return [
    '',
    "const { json: found } = await call(issuer.issuer + '/dashboard/api/v1/problems');",
    `expect(found.problems.map((problem: { reason: string }) => problem.reason)).not.toContain(${js(problem.reason)});`,
  ];
}

const callHelper = `type Pairs = readonly (readonly [name: string, value: string])[];
type Sent = RequestInit & { readonly query?: Pairs; readonly form?: Pairs };

/** Sends a request. \`refusal\` is empty if it was accepted. */
async function call(url: string, { query = [], form, ...sent }: Sent = {}) {
  const target = new URL(url);
  for (const [name, value] of query) target.searchParams.append(name, value);
  const body = form && new URLSearchParams(form.map(([name, value]) => [name, value]));
  const response = await fetch(target, { ...sent, ...(body && { body }), redirect: 'manual' });
  const text = await response.text();
  const json = text.startsWith('{') ? JSON.parse(text) : {};
  const said = json.error ?? response.headers.get('www-authenticate') ?? '';
  const refusal = response.status < 400 ? '' : \`\${response.status} \${said} \${json.error_description ?? ''}\`.trim();
  const allowedOrigin = response.headers.get('access-control-allow-origin');
  return { response, text, json, refusal, allowedOrigin };
}`;

const visitHelper = `/** Opens the authorization endpoint as a browser does. \`answer\` has what the redirect carries back to the client. */
async function visit(url: string, query: Pairs) {
  const cookies = new Map<string, string>();
  const open = async (address: string, parameters: Pairs) => {
    const headers = { Cookie: [...cookies].map(pair => pair.join('=')).join('; ') };
    const opened = await call(address, { query: parameters, headers });
    for (const line of opened.response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = opened.response.headers.get('location');
    return { ...opened, next: location === null ? undefined : new URL(location, address) };
  };
  let page = await open(url, query);
  while (page.next?.origin === new URL(url).origin) page = await open(page.next.href, []);
  const posted = [...page.text.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]);
  const carried = page.next === undefined ? posted : [...page.next.searchParams, ...new URLSearchParams(page.next.hash.slice(1))];
  const answer: Record<string, string> = Object.fromEntries(carried);
  const shown = page.next === undefined && posted.length === 0 ? 'the browser was shown a page and not sent back' : '';
  const error = answer.error === undefined ? shown : \`\${answer.error} \${answer.error_description ?? ''}\`.trim();
  return { answer, refusal: page.refusal === '' ? error : page.refusal };
}`;
