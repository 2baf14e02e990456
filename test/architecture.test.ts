import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { all } from '../src/extensions/all.ts';
import type { SettingRow } from '../src/sandbox/config/setting.ts';
import { named } from '../src/sandbox/config/settings.ts';

/** A wing imports from itself and from those before it. The first three are functions of values: they import these packages only. */
const wings: readonly (readonly [name: string, packages?: readonly string[]])[] = [
  ['base', []],
  ['protocol', ['bcryptjs', 'jose', 'node:crypto']],
  ['record', ['node:crypto']],
  ['server'],
  ['sandbox'],
  ['dashboard'],
  ['client'],
];

/** Folders that can be left out: each imports from every wing, and not from another. */
const removable = ['extensions', 'providers'];

/** Pairs that know each other, each with its reason. */
const pairs: readonly (readonly [from: string, to: string, why: string])[] = [
  ['extensions/examine', 'extensions/report', 'what is seen and what is provoked is one table of checks'],
  ['extensions/lessons', 'extensions/catalogue', 'the playground uses the ready clients and their keys'],
  ['extensions/lessons', 'extensions/report', 'a lesson checks the client and the API of a learner by the same rules'],
  ['extensions/lessons', 'extensions/state', 'a room keeps what the issuers of its seats remember'],
  ['extensions/sharing', 'extensions/import', 'a session file is read as an export is'],
  ['extensions/sharing', 'extensions/report', 'an opened session can be checked like a running sandbox'],
  ['extensions/twin', 'extensions/import', 'a twin is drafted and printed like an import'],
  ['providers/keycloak', 'extensions/import', 'its management API takes clients in the form of an export'],
  ['providers/workloads', 'providers/shapes', 'a token of a pipeline is a shape of claims'],
];

/** What extensions are called, besides the names of their settings, paths and commands. */
const calledAs: Readonly<Record<string, RegExp>> = {
  lessons: /lesson|workshop|playground|trainer|\blabs?\b|demo.app/i,
  metrics: /\bmetrics\b|prometheus/i,
  report: /ClientReport|client report/,
  tracing: /\btracing\b|opentelemetry|\bOTEL/i,
  webhooks: /webhook/i,
};

/** Files of the core that name an extension all the same, each with its reason. */
const naming: readonly (readonly [file: string, extension: string, why: string])[] = [
  ['client/fixtures/running-sandbox.ts', 'lessons', 'the compiler compares its list with the settings'],
  ['client/fixtures/running-sandbox.ts', 'metrics', 'the compiler compares its list with the settings'],
  ['client/fixtures/running-sandbox.ts', 'replicas', 'the compiler compares its list with the settings'],
  ['client/fixtures/running-sandbox.ts', 'report', 'the compiler compares its list with the settings'],
  ['client/fixtures/running-sandbox.ts', 'state', 'the compiler compares its list with the settings'],
  ['record/problems/reasons/access-token.ts', 'state', 'a fix names the setting that helps'],
  ['record/problems/reasons/refresh.ts', 'state', 'a fix names the setting that helps'],
  ['record/problems/reasons/token-request.ts', 'replicas', 'the explanation names the setting that shares the state'],
  ['record/problems/remedies.ts', 'state', 'the settings that fixes name'],
  ['sandbox/config/settings/server.ts', 'metrics', 'the management port answers as that of Keycloak'],
  ['sandbox/process/listening.ts', 'metrics', 'the management port answers as that of Keycloak'],
];

/** They belong to no wing: the process, the library, what both are put together from, and the modules of fixtures, which load the library. */
const entries = ['main.ts', 'index.ts', 'modules.ts', 'client/fixtures/'];

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
  it('import from their own wing and from those before it', () => {
    const forbidden = imports.filter(each => !isAllowed(each)).map(({ from, to }) => `${from} → ${to}`);
    expect([...new Set(forbidden)]).toEqual([]);
  });

  it('have no circle of folders that lie side by side', () => {
    expect(findCycles(imports.flatMap(betweenSiblings))).toEqual([]);
  });

  it('name extensions in pairs that exist', () => {
    const unused = pairs.filter(
      ([a, b]) => !imports.some(({ from, to }) => placeOf(from) === a && files.includes(to) && placeOf(to) === b),
    );
    expect(unused).toEqual([]);
  });

  it('have no import cycle, of types neither', () => {
    expect(findCycles(imports)).toEqual([]);
  });

  it('read `process` in main.ts alone, and where tests find their sandbox', () => {
    const entries = ['main.ts', 'client/fixtures/running-sandbox.ts'];
    expect(matching(/(?<![\w.'"`-])process\s*[.[]/, file => !entries.includes(file))).toEqual([]);
  });

  it('take the time as a value in the protocol and the sample API', () => {
    expect(matching(/Date\.now\(|new Date\(\)/, file => /^(protocol|server\/resources)\//.test(file))).toEqual([]);
  });

  it('give each exported type a name of its own', () => {
    // the sample API is copied into other projects, and the fixtures are modules that nobody uses together
    const owned = files.filter(file => !/^(server\/resources|client\/fixtures)\//.test(file));
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
        file.startsWith('protocol/') &&
        file !== 'protocol/ignored-parameters.ts' &&
        /keycloak|auth0|okta|cognito|entra\b|google|github|apple/i.test(text),
    );
    expect(named.map(([file]) => file)).toEqual([]);
  });

  it('name in the core nothing that an extension adds', () => {
    const core = [...sources].filter(([file]) => wings.some(([wing]) => file.startsWith(`${wing}/`)));
    const found = all.flatMap(({ name, settings = {}, routes = [], pages = [], commands = [] }) => {
      const rows = Object.values(settings).flatMap(Object.entries<SettingRow>);
      const words = [
        // a name of one word is a word of English as well
        ...rows.map(([setting]) => setting).filter(setting => /[A-Z]/.test(setting)),
        ...rows.map(([setting, row]) => named(setting, row).env),
        ...[...routes, ...pages].map(({ path }) => `'${path}`),
        ...commands.map(([command]) => `grantbox ${command}`),
      ];
      const isNamed = (text: string) =>
        calledAs[name]?.test(text) === true || words.some(word => new RegExp(`(?<!\\w)${word}(?!\\w)`).test(text));
      return core.filter(([, text]) => isNamed(text)).map(([file]) => `${file}: ${name}`);
    });
    expect(found.sort()).toEqual(naming.map(([file, extension]) => `${file}: ${extension}`).sort());
  });

  it('have no default export', () => {
    expect(matching(/^export default\b/m)).toEqual([]);
  });

  it('are in folders that have a subject', () => {
    const kinds = ['utils', 'util', 'helpers', 'types', 'middleware', 'common', 'lib', 'misc'];
    expect(files.filter(file => file.split('/').some(folder => kinds.includes(folder)))).toEqual([]);
  });

  it('are at most 400 lines long', () => {
    const lengths = [...sources].map(([file, text]) => ({ file, lines: text.trimEnd().split('\n').length }));
    expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
  });
});

it('CONTRIBUTING.md lists the wings in their order', () => {
  const listed = [...readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').matchAll(/^\d\. `(\w+)\/`/gm)];
  expect(listed.map(([, name]) => name)).toEqual([...wings.map(([name]) => name), ...removable]);
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

/** `server` of `server/http/app.ts`, `extensions/lessons` of `extensions/lessons/lab/lab.ts`, `providers` of `providers/preset.ts`. */
function placeOf(file: string): string {
  const [wing = '', folder = '', ...rest] = file.split('/');
  if (!removable.includes(wing)) return file === 'package.ts' ? 'base' : wing;
  // what all providers share
  return rest.length === 0 || folder === 'management' ? wing : `${wing}/${folder}`;
}

function isAllowed({ from, to }: Import): boolean {
  if (entries.some(entry => from.startsWith(entry)) || to === '../package.json') return true;
  const [here, there] = [placeOf(from), placeOf(to)];
  const order = wings.map(([name]) => name);
  const wing = wings.find(([name]) => name === here);
  if (!files.includes(to)) return from === 'package.ts' || (wing?.[1]?.includes(to) ?? true);
  if (here === there) return true;
  if (wing !== undefined) return order.includes(there) && order.indexOf(there) < order.indexOf(here);
  const isShared = here.startsWith('providers/') && there === 'providers' && to !== 'providers/all.ts';
  const isListed = removable.some(wing => from === `${wing}/all.ts` && there.startsWith(`${wing}/`));
  return order.includes(there) || isShared || isListed || pairs.some(([a, b]) => a === here && b === there);
}

/** An import between folders that lie side by side, by their paths. A folder and its own subfolder may know each other. */
function betweenSiblings({ from, to }: Pick<Import, 'from' | 'to'>): { readonly from: string; readonly to: string }[] {
  const [here, there] = [from.split('/'), to.split('/')];
  const depth = here.findIndex((name, index) => name !== there[index]);
  const areFolders = depth < here.length - 1 && depth < there.length - 1;
  // between wings the order decides
  if (depth <= 0 || !areFolders) return [];
  return [{ from: here.slice(0, depth + 1).join('/'), to: there.slice(0, depth + 1).join('/') }];
}

function matching(pattern: RegExp, where: (file: string) => boolean = () => true): string[] {
  return files.filter(file => where(file) && pattern.test(withoutComments(sources.get(file) ?? '')));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

/** Each cycle once, as the path around it. */
function findCycles(edges: readonly Pick<Import, 'from' | 'to'>[]): string[] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    for (const to of targets.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return cycles;
}
