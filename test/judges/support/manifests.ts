import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { runProgram } from '../../support/program.ts';
import { madeFolder } from './made-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** An object of Kubernetes. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into it, after the types of Kubernetes were checked
  readonly [member: string]: any;
}

/** The module with the types of each kind, which are made from the OpenAPI description of Kubernetes. */
const modules: Readonly<Record<string, string>> = {
  'v1 ConfigMap': 'core/v1',
  'v1 Service': 'core/v1',
  'apps/v1 Deployment': 'apps/v1',
  'apps/v1 StatefulSet': 'apps/v1',
  'policy/v1 PodDisruptionBudget': 'policy/v1',
  'networking.k8s.io/v1 Ingress': 'networking/v1',
  'networking.k8s.io/v1 NetworkPolicy': 'networking/v1',
};

/** The objects of a text with several documents. */
export function readManifests(text: string): readonly Manifest[] {
  const documents = parseAllDocuments(text);
  return documents.flatMap(document => {
    if (document.errors.length > 0) throw document.errors[0];
    const content = document.toJS() as Manifest | null;
    return content === null ? [] : [content];
  });
}

/**
 * Everything that the types of Kubernetes say against the objects: members that do not exist, wrong types, members that are
 * missing. Empty if there is nothing.
 */
export async function problemsOf(manifests: readonly Manifest[]): Promise<string> {
  const lines = manifests.map((manifest, index) => {
    const kind = `${manifest.apiVersion} ${manifest.kind}`;
    const module = modules[kind];
    if (module === undefined) throw new Error(`there is no type for ${kind}`);
    const type = `import('kubernetes-types/${module}').${manifest.kind}`;
    return `export const object${index}: ${type} = ${JSON.stringify(manifest, undefined, 2)};`;
  });
  const folder = await madeFolder();
  try {
    await writeFile(join(folder, 'manifests.ts'), lines.join('\n'));
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--skipLibCheck',
      '--types',
      '',
    ];
    const words = [
      tsc,
      ...options,
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--target',
      'es2022',
      'manifests.ts',
    ];
    const { code, output } = await runProgram(process.execPath, words, { cwd: folder });
    return code === 0 ? '' : output;
  } finally {
    await rm(folder, { recursive: true });
  }
}
