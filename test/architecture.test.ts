import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

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
  it('have no import cycle, of types neither', () => {
    expect(findCycles(imports)).toEqual([]);
  });

  it('read `process` in main.ts alone, and where tests find their sandbox', () => {
    const entries = ['main.ts', 'client/fixtures/running-sandbox.ts'];
    expect(matching(/(?<![\w.'"`-])process\s*[.[]/, file => !entries.includes(file))).toEqual([]);
  });

  it('take the time as a value in oauth/ and resources/', () => {
    expect(matching(/Date\.now\(|new Date\(\)/, file => /^(protocol|server\/resources)\//.test(file))).toEqual([]);
  });

  it('give each exported type a name of its own', () => {
    // resources/ is copied into other projects, and the fixtures are modules that nobody uses together
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
