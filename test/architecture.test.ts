import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** What the files of an area may import. The most exact area that a file is in decides; what is not listed is forbidden. */
interface Rule {
  readonly area: string;
  /** Files and folders in `src/`, besides the area itself. */
  readonly ours?: readonly string[];
  /** The same, but for their types only. */
  readonly types?: readonly string[];
  /** Packages and Node's modules. */
  readonly packages?: readonly string[];
}

const rules: readonly Rule[] = [
  {
    area: 'oauth/',
    types: [
      ...['oauth/clients/', 'oauth/users/', 'oauth/proofs/', 'oauth/requests/', 'oauth/tokens/', 'oauth/grants/'],
      ...['storage/store.ts', 'events/event.ts'],
    ],
    packages: ['jose', 'node:crypto'],
  },
  {
    area: 'oauth/clients/',
    ours: ['oauth/*'],
    types: ['oauth/', 'events/event.ts'],
    packages: ['jose', 'node:crypto'],
  },
  {
    area: 'oauth/users/',
    ours: ['oauth/*'],
    types: ['oauth/', 'events/event.ts'],
    packages: ['bcryptjs', 'node:crypto'],
  },
  { area: 'oauth/proofs/', ours: ['oauth/*'], types: ['oauth/'], packages: ['jose', 'node:crypto'] },
  {
    area: 'oauth/requests/',
    ours: ['oauth/*', 'oauth/clients/', 'oauth/users/'],
    types: ['oauth/', 'events/event.ts'],
    packages: ['jose', 'node:crypto'],
  },
  {
    area: 'oauth/tokens/',
    ours: ['oauth/*', 'oauth/clients/', 'oauth/users/', 'oauth/rules/'],
    types: ['oauth/', 'events/event.ts'],
    packages: ['jose', 'node:crypto'],
  },
  {
    area: 'oauth/decoupled/',
    ours: ['oauth/*', 'oauth/clients/', 'oauth/users/', 'oauth/requests/'],
    types: ['oauth/', 'events/event.ts'],
    packages: ['jose', 'node:crypto'],
  },
  {
    area: 'oauth/dialects/',
    ours: ['oauth/*', 'oauth/clients/', 'oauth/users/'],
    types: ['oauth/'],
    packages: ['jose', 'node:crypto'],
  },
  {
    area: 'oauth/rules/',
    ours: ['oauth/*', 'oauth/clients/', 'oauth/users/', 'oauth/dialects/'],
    types: ['oauth/'],
  },
  {
    area: 'oauth/grants/',
    ours: [
      ...['oauth/*', 'oauth/clients/', 'oauth/users/', 'oauth/proofs/'],
      ...['oauth/requests/', 'oauth/tokens/', 'oauth/decoupled/'],
    ],
    types: ['events/event.ts'],
  },
  {
    area: 'oauth/endpoints/',
    ours: [
      ...['oauth/*', 'oauth/clients/', 'oauth/users/', 'oauth/proofs/'],
      ...['oauth/requests/', 'oauth/tokens/', 'oauth/decoupled/', 'oauth/rules/', 'oauth/grants/'],
    ],
    types: ['events/event.ts'],
    packages: ['node:crypto'],
  },
  { area: 'storage/' },
  {
    area: 'replicas/',
    ours: ['oauth/errors.ts', 'events/'],
    types: ['storage/store.ts', 'clock/moved-clock.ts', 'http/rate-limit.ts', 'resources/rows.ts'],
    packages: ['@redis/client', 'node:async_hooks', 'node:crypto', 'node:events', 'node:http'],
  },
  { area: 'clock/', types: ['events/clock-events.ts'] },
  { area: 'events/' },
  { area: 'events/search/', ours: ['clock/duration.ts'] },
  { area: 'text/' },
  { area: 'turns/' },
  { area: 'flows/', ours: ['events/', 'oauth/*', 'turns/'], types: ['oauth/'], packages: ['node:crypto'] },
  {
    area: 'problems/',
    ours: ['events/', 'oauth/', 'flows/', 'turns/'],
    types: ['resources/reason.ts'],
    packages: ['node:crypto'],
  },
  {
    area: 'faults/',
    ours: ['clock/duration.ts', 'oauth/tokens/signing-key.ts'],
    types: ['oauth/', 'events/event.ts'],
    packages: ['node:crypto'],
  },
  {
    area: 'report/',
    ours: ['events/', 'flows/', 'http/render-template.ts', 'oauth/*', 'package.ts', 'problems/', 'turns/'],
    types: ['oauth/'],
    packages: ['valibot'],
  },
  {
    area: 'control/',
    ours: [
      'clock/duration.ts',
      'config/',
      'events/',
      'oauth/',
      'http/',
      'faults/',
      'report/',
      'flows/contents.ts',
      'flows/token-status.ts',
      'turns/',
      'package.ts',
      'webhooks/check-endpoint.ts',
    ],
    types: ['storage/store.ts', 'clock/'],
    packages: ['express', 'node:crypto', 'node:http', 'valibot', '@valibot/to-json-schema'],
  },
  { area: 'wire/', packages: ['node:http', 'node:https'] },
  { area: 'outbound/', ours: ['oauth/outbound.ts', 'wire/'], packages: ['node:dns', 'node:net'] },
  {
    area: 'tls/',
    types: ['oauth/proofs/confirmation.ts'],
    packages: ['@peculiar/x509', 'node:crypto', 'node:net', 'node:tls'],
  },
  {
    area: 'config/',
    ours: [
      'clock/duration.ts',
      'oauth/requests/authorization-details.ts',
      'oauth/clients/client.ts',
      'oauth/clients/client-members.ts',
      'oauth/dialects/claim-rules.ts',
      'oauth/feature.ts',
      'oauth/protocol-claims.ts',
      'oauth/scope.ts',
      'oauth/token-rule.ts',
      'oauth/trusted-issuer.ts',
      'oauth/users/password-hash.ts',
      'oauth/users/user.ts',
      'faults/fault-names.ts',
      'catalogue/ready-clients.ts',
      'import/',
      'presets/preset-names.ts',
      'webhooks/check-endpoint.ts',
      '../clients.config.ts',
    ],
    types: ['catalogue/'],
    packages: [
      'valibot',
      '@valibot/to-json-schema',
      'jiti',
      'yaml',
      'node:crypto',
      'node:fs',
      'node:module',
      'node:net',
      'node:os',
      'node:path',
      'node:url',
    ],
  },
  { area: 'catalogue/', types: ['config/'] },
  {
    area: 'presets/',
    ours: [
      ...['http/answer.ts', 'http/error-replies.ts', 'http/route.ts', 'oauth/'],
      // the management APIs of presets, each in a pack of its own
      'presets/auth0/api/',
      'presets/cognito/pool/',
      'presets/entra/graph/',
      'presets/github/api/',
      'presets/keycloak/admin/',
      'presets/okta/admin/',
    ],
    types: [
      'config/sandbox-config.ts',
      'http/adapter.ts',
      'http/request-context.ts',
      'http/unknown-path.ts',
      'http/views.ts',
      'presets/management/',
    ],
    packages: ['node:crypto'],
  },
  {
    area: 'presets/management/',
    ours: [
      ...['http/answer.ts', 'http/origin-check.ts', 'http/path-table.ts', 'http/read-json.ts'],
      ...['http/read-parameters.ts', 'oauth/'],
    ],
    types: ['control/', 'events/', 'http/'],
    packages: ['node:crypto', 'node:http'],
  },
  {
    area: 'presets/auth0/api/',
    ours: [
      ...['http/answer.ts', 'oauth/', 'presets/auth0/database.ts', 'presets/auth0/management-scopes.ts'],
      ...['presets/auth0/second-factor.ts', 'presets/management/'],
    ],
    types: ['control/', 'events/', 'http/'],
    packages: ['node:crypto'],
  },
  {
    area: 'presets/cognito/pool/',
    ours: ['http/answer.ts', 'oauth/', 'presets/cognito/attributes.ts', 'presets/management/'],
    types: ['control/', 'events/', 'http/'],
    packages: ['node:crypto', 'node:http'],
  },
  {
    area: 'presets/entra/graph/',
    ours: ['http/path-table.ts', 'oauth/', 'presets/entra/', 'presets/management/'],
  },
  {
    area: 'presets/keycloak/admin/',
    ours: ['http/answer.ts', 'oauth/', 'presets/keycloak/import/', 'presets/management/'],
    types: ['control/', 'events/', 'http/'],
    packages: ['node:crypto'],
  },
  {
    area: 'presets/okta/admin/',
    ours: ['http/answer.ts', 'oauth/', 'presets/management/', 'presets/okta/api-errors.ts'],
    types: ['control/', 'events/', 'http/'],
    packages: ['node:crypto', 'node:http'],
  },
  {
    area: 'presets/github/api/',
    ours: ['http/answer.ts', 'oauth/', 'presets/github/', 'presets/management/'],
    types: ['control/', 'events/', 'http/'],
  },
  {
    area: 'presets/keycloak/import/',
    ours: ['config/claims.ts', 'import/', 'oauth/scope.ts'],
    types: ['config/'],
  },
  {
    area: 'import/',
    ours: [
      ...['config/client/client-config.ts', 'config/client/client-rules.ts', 'config/file-failure.ts'],
      ...['config/file-mark.ts', 'config/problem.ts'],
      ...[
        'config/read-yaml.ts',
        'config/redirect-pattern.ts',
        'config/scope-entry.ts',
        'config/settings/signing-algs.ts',
        'config/uri.ts',
      ],
      ...['config/user-entry.ts', 'oauth/clients/web-origins.ts', 'oauth/protocol-claims.ts', 'oauth/scope.ts'],
      'presets/keycloak/import/',
      'snippets/literals.ts',
    ],
    types: ['config/'],
    packages: ['node:fs', 'node:path'],
  },
  {
    area: 'twin/',
    ours: [
      ...['config/client/client-rules.ts', 'config/preset-choice.ts', 'config/settings/signing-algs.ts'],
      'config/token-rule-entry.ts',
      ...['config/user-entry.ts', 'dashboard/decode/pasted.ts', 'import/', 'oauth/dialects/claim-rules.ts'],
      ...['oauth/feature.ts', 'oauth/json-parameter.ts', 'oauth/protocol-claims.ts', 'oauth/scope.ts'],
      ...['presets/preset-names.ts', 'sandbox.ts', 'wire/'],
    ],
    types: ['config/', 'oauth/'],
    packages: ['node:path'],
  },
  {
    area: 'open/',
    ours: [
      ...['config/', 'dashboard/exports/', 'events/', 'flows/', 'http/views.ts', 'import/', 'oauth/requests/pkce.ts'],
      ...['package.ts', 'problems/', 'sandbox.ts', 'snippets/literals.ts', 'turns/'],
    ],
    types: ['composition/opened.ts', 'dashboard/', 'oauth/errors.ts'],
    packages: ['valibot', 'node:http'],
  },
  {
    area: 'demo-app/',
    ours: ['http/cookies.ts', 'http/origin-check.ts', 'http/read-parameters.ts'],
    types: ['events/app-events.ts'],
    packages: ['express', 'jose', 'node:crypto', 'node:http'],
  },
  {
    area: 'http/',
    ours: ['oauth/', 'events/', 'package.ts', 'problems/', 'presets/preset-names.ts', 'tls/', 'wire/'],
    types: ['faults/'],
    packages: [
      'express',
      'cors',
      'express-rate-limit',
      'ejs',
      'uqr',
      'pino',
      'pino-pretty',
      'node:crypto',
      'node:fs',
      'node:http',
      'node:https',
      'node:net',
      'node:path',
      'node:stream',
      'node:util',
      'node:zlib',
    ],
  },
  {
    area: 'dashboard/',
    ours: [
      ...['problems/', 'flows/', 'oauth/', 'events/', 'report/', 'snippets/', 'turns/'],
      ...[
        'clock/duration.ts',
        'http/cookies.ts',
        'http/signin/user-cards.ts',
        'http/signin/made-up-person.ts',
        'http/origin-check.ts',
        'http/preferences.ts',
        'http/read-parameters.ts',
        'http/send-text.ts',
        'http/views.ts',
        'twin/like-token.ts',
      ],
    ],
    types: ['catalogue/', 'control/', 'clock/', 'faults/'],
    packages: ['express'],
  },
  { area: 'snippets/', ours: ['oauth/scope.ts', 'package.ts'], packages: ['ejs', 'node:fs'] },
  { area: 'resources/', packages: ['express', 'jose', 'node:crypto'] },
  { area: 'browser/' },
  { area: 'self-test/', ours: ['wire/'], packages: ['jose', 'node:crypto', 'node:http', 'node:https', 'node:net'] },
  {
    area: 'cli/',
    ours: [
      ...[
        'api-check/',
        'composition/presets.ts',
        'config/',
        'lessons/',
        'import/',
        'open/',
        'presets/preset-names.ts',
        'report/',
        'sandbox.ts',
      ],
      ...['mcp/', 'package.ts', 'snippets/', 'turns/', 'twin/', 'wire/'],
    ],
    types: ['control/lessons.ts', 'control/mint-request.ts', 'remote/control-calls.ts'],
    packages: [
      ...['uqr', 'yargs', 'node:child_process', 'node:crypto', 'node:fs', 'node:path'],
      ...['node:stream', 'node:timers', 'node:util'],
    ],
  },
  { area: 'api-check/', types: ['control/mint-request.ts'] },
  {
    area: 'remote/',
    ours: ['wire/'],
    types: ['clock/', 'composition/calls.ts', 'config/', 'control/', 'events/', 'faults/', 'oauth/', 'report/'],
  },
  {
    area: 'webhooks/',
    ours: ['outbound/address.ts', 'turns/'],
    types: [
      'config/problem.ts',
      'control/webhooks.ts',
      'events/',
      'oauth/outbound.ts',
      'problems/problem.ts',
      'storage/store.ts',
    ],
    packages: ['node:crypto', 'node:net'],
  },
  {
    area: 'webhooks/pages/',
    ours: [...['dashboard/configure/secrets.ts', 'dashboard/form.ts'], ...['dashboard/moment.ts', 'webhooks/']],
    types: ['control/webhooks.ts', 'dashboard/desk.ts'],
    packages: ['express'],
  },
  {
    area: 'mcp/',
    ours: [
      ...['config/json-schema.ts', 'control/described.ts', 'control/expected-token.ts'],
      ...['events/configuration-events.ts', 'events/exchange.ts'],
      ...['flows/redaction.ts', 'flows/redaction-names.ts', 'flows/redaction-text.ts'],
      ...['problems/reasons/index.ts', 'remote/control-calls.ts'],
    ],
    packages: ['@modelcontextprotocol/sdk', 'valibot'],
  },
  {
    area: 'lessons/',
    ours: [
      'api-check/',
      'config/',
      'events/',
      'dashboard/form.ts',
      'demo-app/words.ts',
      'http/cookies.ts',
      'lessons/10-api/solve.ts',
      'lessons/11-mcp/solve.ts',
      'lessons/labs/a06-forged-token/forge.ts',
      'playground/proof.ts',
      'wire/cookie-jar.ts',
    ],
    types: ['control/', 'dashboard/desk.ts', 'demo-app/checks.ts', 'http/breakpoints.ts', 'oauth/relaxation.ts'],
    packages: ['express', 'jose', 'marked', 'valibot', 'node:fs', 'node:path'],
  },
  // the API that labs attack, which is vulnerable
  {
    area: 'lessons/lab/api/',
    ours: ['lessons/lab/lab.ts', 'resources/'],
    packages: ['express', 'jose', 'node:crypto'],
  },
  { area: 'lessons/labs/a06-forged-token/forge.ts', packages: ['node:crypto'] },
  // solvers that serve something
  { area: 'lessons/10-api/solve.ts', ours: ['lessons/'], packages: ['jose', 'node:events', 'node:http', 'node:net'] },
  { area: 'lessons/11-mcp/solve.ts', ours: ['lessons/'], packages: ['node:events', 'node:http', 'node:net'] },
  {
    area: 'playground/',
    ours: [
      'catalogue/demo-key.ts',
      'catalogue/demo-private-key.ts',
      'dashboard/copy-as/',
      'dashboard/form.ts',
      'dashboard/problems/explained-request.ts',
      'dashboard/requests/body-view.ts',
      'events/exchange.ts',
      'http/cookies.ts',
      'http/read-parameters.ts',
      'oauth/clients/client.ts',
      'problems/explanation-view.ts',
    ],
    types: ['catalogue/ready-client.ts', 'dashboard/desk.ts', 'http/route.ts'],
    packages: ['express', 'jose', 'node:crypto'],
  },
  {
    area: 'workshop/',
    ours: [
      ...['clock/duration.ts', 'clock/moved-clock.ts', 'dashboard/exports/session-page.ts', 'dashboard/form.ts'],
      ...[
        'flows/',
        'lessons/',
        'http/cookies.ts',
        'http/preferences.ts',
        'http/read-parameters.ts',
        'http/send-text.ts',
      ],
      ...['oauth/errors.ts', 'oauth/random.ts', 'turns/'],
    ],
    types: ['clock/', 'dashboard/desk.ts', 'events/'],
    packages: ['express', 'uqr', 'valibot', 'node:http'],
  },
  {
    area: 'composition/',
    ours: [
      'workshop/',
      'playground/',
      'catalogue/',
      'presets/',
      'demo-app/',
      'clock/',
      'config/',
      'oauth/',
      'storage/',
      'replicas/',
      'events/',
      'outbound/',
      'tls/',
      'http/',
      'control/',
      'faults/',
      'flows/',
      'dashboard/',
      'lessons/',
      'metrics/',
      'problems/explain.ts',
      'problems/problem-index.ts',
      'webhooks/',
      'report/',
      'resources/',
      'self-test/',
      'turns/',
      'wire/',
      'package.ts',
    ],
    types: ['problems/', 'tracing/traces.ts'],
    packages: ['express', 'jose', 'node:async_hooks', 'node:crypto', 'node:fs', 'node:http', 'node:net', 'node:path'],
  },
  {
    area: 'tracing/',
    ours: [
      'flows/',
      'http/request-context.ts',
      'http/routes.ts',
      'oauth/authorization-server.ts',
      'oauth/outbound.ts',
      'package.ts',
    ],
    types: ['events/', 'http/log/correlation.ts'],
    packages: ['@opentelemetry/api', '@opentelemetry/sdk-node', 'node:http', 'node:module', 'node:path'],
  },
  { area: 'metrics/', types: ['events/event.ts'], packages: ['prom-client', 'node:http'] },
  {
    area: 'sandbox.ts',
    ours: ['composition/', 'config/', 'http/', 'lessons/pack/'],
    types: ['control/', 'lessons/', 'oauth/tokens/signing-key.ts', 'self-test/report.ts', 'tracing/traces.ts'],
  },
  {
    area: 'fixtures/',
    ours: ['index.ts', 'wire/'],
    types: ['config/', 'remote/', 'control/'],
    packages: ['vitest', '@playwright/test', 'testcontainers', 'node:crypto', 'node:fs', 'node:path', 'node:timers'],
  },
  { area: 'defined.ts' },
  { area: 'package.ts', ours: ['../package.json'], packages: ['node:fs', 'node:path'] },
  {
    area: 'index.ts',
    ours: ['remote/connect-sandbox.ts', 'sandbox.ts'],
    types: [
      ...['clock/', 'composition/', 'config/', 'control/', 'events/', 'faults/', 'oauth/', 'remote/', 'report/'],
      'self-test/report.ts',
    ],
  },
  {
    area: 'main.ts',
    ours: [
      'cli/',
      'config/',
      'remote/',
      'sandbox.ts',
      'index.ts',
      'package.ts',
      'oauth/tokens/signing-key.ts',
      'tracing/if-asked.ts',
    ],
    packages: ['node:fs', 'node:tty'],
  },
];

/** What any area may import: it stands in for syntax that the language lacks, and knows of nothing. */
const everywhere = ['defined.ts', 'text/'];

interface Import {
  readonly from: string;
  /** A path in `src/`, or the name of a package. */
  readonly to: string;
  readonly isType: boolean;
}

const root = join(import.meta.dirname, '..');
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => file.endsWith('.ts'))
  .sort();
const sources = new Map(files.map(file => [file, readFileSync(join(root, 'src', file), 'utf8')]));
const imports = [...(await readImports()), ...readTypeImports()];

describe('the sources', () => {
  it('import only what the table allows', () => {
    const forbidden = imports.filter(each => !isAllowed(each));
    expect(forbidden.map(({ from, to, isType }) => `${from} imports ${isType ? 'types of ' : ''}${to}`)).toEqual([]);
  });

  it('have no import cycle, of types neither', () => {
    expect(findCycles(imports)).toEqual([]);
  });

  it('read `process` in main.ts alone, and where tests find their sandbox', () => {
    const entries = ['main.ts', 'fixtures/running-sandbox.ts'];
    expect(matching(/(?<![\w.'"`-])process\s*[.[]/, file => !entries.includes(file))).toEqual([]);
  });

  it('take the time as a value in oauth/ and resources/', () => {
    expect(matching(/Date\.now\(|new Date\(\)/, file => /^(oauth|resources)\//.test(file))).toEqual([]);
  });

  it('give each exported type a name of its own', () => {
    // resources/ is copied into other projects, and the fixtures are modules that nobody uses together
    const owned = files.filter(file => !/^(resources|fixtures)\//.test(file));
    const declared = owned.flatMap(file =>
      [...(sources.get(file) ?? '').matchAll(/^export (?:interface|type|class) (\w+)/gm)].map(([, name = '']) => ({
        name,
        file,
      })),
    );
    expect(declared.length).toBeGreaterThan(500);
    const shared = declared.filter(({ name }) => declared.filter(each => each.name === name).length > 1);
    expect(shared.map(({ name, file }) => `${name} in ${file}`)).toEqual([]);
  });

  it('know no provider by its name in the protocol', () => {
    const named = [...sources].filter(
      // the names of ignored parameters say whose they are
      ([file, text]) =>
        file.startsWith('oauth/') &&
        file !== 'oauth/ignored-parameters.ts' &&
        /keycloak|auth0|okta|cognito|entra\b|google|github|apple/i.test(text),
    );
    expect(named.map(([file]) => file)).toEqual([]);
  });

  it('have no default export', () => {
    expect(matching(/^export default\b/m)).toEqual([]);
  });

  it('are in folders that have a subject', () => {
    const kinds = ['utils', 'util', 'helpers', 'types', 'middleware', 'common', 'lib', 'misc'];
    expect(files.filter(file => file.split('/').some(folder => kinds.includes(folder)))).toEqual([]);
  });

  it('are at most 250 lines long', () => {
    const lengths = [...sources].map(([file, text]) => ({ file, lines: text.trimEnd().split('\n').length }));
    expect(lengths.filter(({ lines }) => lines > 250)).toEqual([]);
  });
});

it('the templates have lines shorter than 160 characters', () => {
  const templates = readdirSync(join(root, 'templates'), { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.ejs'),
  );
  expect(templates.length).toBeGreaterThan(50);
  const long = templates.flatMap(file =>
    readFileSync(join(root, 'templates', file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.length < 160 ? [] : [`${file}:${index + 1} has ${line.length} characters`])),
  );
  expect(long).toEqual([]);
});

it('CONTRIBUTING.md has the same table', () => {
  expect(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')).toContain(importTable());
});

/** The rules as CONTRIBUTING.md shows them. */
function importTable(): string {
  const rows = rules.map(({ area, ours = [], types = [], packages = [] }) => {
    const code = (names: readonly string[]) => names.map(name => `\`${name}\``).join(', ');
    const own = [
      area.endsWith('/') ? 'itself' : '',
      code(ours),
      types.length === 0 ? '' : `types of ${code(types)}`,
    ].filter(text => text !== '');
    return `| \`${area}\` | ${own.join('; ')} | ${code(packages)} |`;
  });
  return ['| from | may import, of our own files | packages |', '|---|---|---|', ...rows].join('\n');
}

/** As the bundler sees them: static, dynamic and `export … from`. Text in template strings is no import to it. */
async function readImports(): Promise<Import[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files.map(file => `src/${file}`),
    outdir: 'none',
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    loader: { '.md': 'text' },
  });
  return Object.entries(metafile.inputs)
    .filter(([from]) => from.startsWith('src/'))
    .flatMap(([from, { imports: found }]) =>
      found.map(({ path, external }) => ({
        from: posix.relative('src', from),
        to: external ? packageName(path) : posix.relative('src', path),
        isType: false,
      })),
    );
}

/** `import type` and `export type … from`, which the bundler drops. */
function readTypeImports(): Import[] {
  return [...sources].flatMap(([from, text]) =>
    [...text.matchAll(/^(?:import|export) type [^;'`]*?from '([^']+)'/gm)].map(([, specifier = '']) => ({
      from,
      to: specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : packageName(specifier),
      isType: true,
    })),
  );
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function isAllowed({ from, to, isType }: Import): boolean {
  const rule = ruleOf(from);
  if (rule === undefined) return false;
  const { area, ours = [], types = [], packages = [] } = rule;
  const listed = [area, ...everywhere, ...ours, ...(isType ? types : []), ...packages];
  return listed.some(entry => covers(entry, to) && (entry !== area || ruleOf(to) === rule));
}

/** `oauth/` and what is in its folders; `oauth/*` without these. */
function covers(entry: string, to: string): boolean {
  if (entry.endsWith('/*')) return posix.dirname(to) === entry.slice(0, -2);
  return entry.endsWith('/') ? to.startsWith(entry) : to === entry;
}

function ruleOf(file: string): Rule | undefined {
  return rules.filter(({ area }) => covers(area, file)).sort((a, b) => b.area.length - a.area.length)[0];
}

function matching(pattern: RegExp, where: (file: string) => boolean = () => true): string[] {
  return files.filter(file => where(file) && pattern.test(withoutComments(sources.get(file) ?? '')));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

/** Each cycle once, as the path around it. */
function findCycles(edges: readonly Import[]): string[] {
  const targetsOf = (file: string) => edges.filter(({ from }) => from === file).map(({ to }) => to);
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    for (const to of targetsOf(file)) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return cycles;
}
