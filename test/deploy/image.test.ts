import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { newFolder } from '../support/new-folder.ts';
import { runProgram } from '../support/program.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The stages of the Dockerfile, by their names, in order. */
const stages = new Map(
  read('Dockerfile')
    .replace(/\\\n\s*/g, ' ')
    .split(/^(?=FROM )/m)
    .slice(1)
    .map(text => [/^FROM .* AS (\S+)$/m.exec(text)?.[1] ?? '', text] as const),
);
const stage = (name: string) => stages.get(name) ?? '';
const lineOf = (name: string, word: string) =>
  stage(name)
    .split('\n')
    .find(line => line.startsWith(`${word} `)) ?? '';

describe('the Dockerfile', () => {
  it('makes the image with a shell unless told otherwise', () => {
    expect([...stages.keys()].at(-1)).toBe('slim');
  });

  it('needs no shell for the image that has none', () => {
    for (const name of ['distroless-base', 'distroless-warm', 'distroless'])
      for (const line of stage(name).split('\n'))
        if (/^\s*(RUN|CMD|ENTRYPOINT) /.test(line)) expect(line).toMatch(/^\s*\w+ \[/);
    expect(stage('distroless')).not.toContain('docker-entrypoint.sh');
  });

  it('gives both images the same settings, user and labels', () => {
    expect(lineOf('distroless-base', 'ENV')).toBe(lineOf('base', 'ENV'));
    for (const word of ['USER', 'EXPOSE', 'STOPSIGNAL']) {
      expect(lineOf('distroless', word)).not.toBe('');
      expect(lineOf('distroless', word)).toBe(lineOf('slim', word));
    }
    const labels = (name: string) => lineOf(name, 'LABEL').replace(/\$\{\w+_IMAGE\}/, '');
    expect(labels('distroless')).toBe(labels('slim'));
  });

  it('has the labels of the Open Container Initiative, with the version of the package', () => {
    const names = [...lineOf('slim', 'LABEL').matchAll(/org\.opencontainers\.image\.([\w.]+)=/g)].map(
      ([, name]) => name,
    );
    expect(names.toSorted()).toEqual([
      ...['base.name', 'description', 'documentation', 'licenses', 'revision', 'source', 'title', 'version'],
    ]);
    for (const name of ['slim', 'distroless']) expect(stage(name)).toContain(`ARG VERSION=${packageJson.version}\n`);
  });

  it('starts both with the flags that the compiled code was made with', () => {
    const words = (name: string, word: string) => JSON.parse(lineOf(name, word).replace(/^\w+ /, '')) as string[];
    const warm = words('distroless-warm', 'RUN');
    expect(warm.slice(2)).toEqual(words('distroless', 'ENTRYPOINT'));
    expect(read('docker-entrypoint.sh')).toContain(`exec node ${warm.slice(3).join(' ')} "$@"`);
  });
});

describe('docker-bake.hcl', () => {
  const text = read('docker-bake.hcl');

  it('builds stages of the Dockerfile, each with a tag of its own', () => {
    const targets = [...text.matchAll(/^ {2}target\s+= "([\w-]+)"$/gm)].map(([, name = '']) => name);
    expect(targets).toEqual(['slim', 'distroless']);
    for (const name of targets) expect(stage(name), name).not.toBe('');
    const tags = [...text.matchAll(/^ {2}tags\s+= (.*)$/gm)].map(([, list]) => list);
    expect(new Set(tags).size).toBe(targets.length);
    expect(text).toContain(`default = "${packageJson.version}"`);
  });

  it('gives values to arguments that the Dockerfile has', () => {
    const args = [...text.matchAll(/^ {4}([A-Z]+)\s+= ([A-Z]+)$/gm)];
    expect(args).toHaveLength(3);
    for (const [, name, value] of args) {
      expect(text).toContain(`variable "${value}" {`);
      expect(read('Dockerfile')).toContain(`ARG ${name}=`);
    }
  });
});

it('the chart and its image have the version of the package', () => {
  const chart = read('deploy/helm/grantbox/Chart.yaml');
  expect(chart).toContain(`\nversion: ${packageJson.version}\nappVersion: ${packageJson.version}\n`);
  expect(read('deploy/kubernetes/base/kustomization.yaml')).toContain(`newTag: ${packageJson.version}\n`);
});

it('the software bill of materials names what is bundled, and nothing else', async () => {
  const folder = newFolder();
  const file = join(folder, 'grantbox.spdx.json');
  const env = { SOURCE_DATE_EPOCH: '1700000000' };
  const { code, output } = await runProgram(process.execPath, ['scripts/licences.mjs', '--sbom', file], {
    cwd: root,
    env,
  });
  expect(code, output).toBe(0);
  const sbom = JSON.parse(readFileSync(file, 'utf8')) as Sbom;
  expect(sbom).toMatchObject({ spdxVersion: 'SPDX-2.3', creationInfo: { created: '2023-11-14T22:13:20Z' } });
  const ids = sbom.packages.map(({ SPDXID }) => SPDXID);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^SPDXRef-[A-Za-z0-9.-]+$/);
  const names = sbom.packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['grantbox', 'express', 'jose', '@peculiar/x509']));
  for (const tool of ['vitest', 'esbuild', 'typescript']) expect(names).not.toContain(tool);
  const x509 = sbom.packages.find(({ name }) => name === '@peculiar/x509');
  expect(x509?.externalRefs[0]?.referenceLocator).toBe(`pkg:npm/%40peculiar/x509@${x509?.versionInfo}`);
  const contained = sbom.relationships.filter(({ relationshipType }) => relationshipType === 'CONTAINS');
  expect(contained.map(({ relatedSpdxElement }) => relatedSpdxElement)).toEqual(ids.slice(1));
});

interface Sbom {
  readonly packages: readonly {
    readonly name: string;
    readonly SPDXID: string;
    readonly versionInfo: string;
    readonly externalRefs: readonly { readonly referenceLocator: string }[];
  }[];
  readonly relationships: readonly { readonly relationshipType: string; readonly relatedSpdxElement: string }[];
}
