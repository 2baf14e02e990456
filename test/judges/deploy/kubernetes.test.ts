import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newFolder } from '../../support/new-folder.ts';
import { runProgram } from '../../support/program.ts';
import { type KubernetesTools, provideKubernetesTools } from '../support/kubernetes-tools.ts';
import { type Manifest, problemsOf, readManifests } from '../support/manifests.ts';

const root = join(import.meta.dirname, '..', '..', '..', 'deploy');
const chart = join(root, 'helm', 'grantbox');
let tools: KubernetesTools;

beforeAll(async () => {
  tools = await provideKubernetesTools();
});

async function kustomize(folder: string): Promise<readonly Manifest[]> {
  const { code, output } = await runProgram(tools.kubectl, ['kustomize', join(root, 'kubernetes', folder)]);
  expect(code, output).toBe(0);
  return readManifests(output);
}

const helm = (...args: readonly string[]) => runProgram(tools.helm, ['template', 'demo', chart, ...args]);

async function rendered(...args: readonly string[]): Promise<readonly Manifest[]> {
  const { code, output } = await helm(...args);
  expect(code, output).toBe(0);
  return readManifests(output);
}

function one(manifests: readonly Manifest[], kind: string, part = ''): Manifest {
  const found = manifests.filter(each => each.kind === kind && each.metadata.name.endsWith(part));
  expect(found, `one ${kind} ${part}`).toHaveLength(1);
  return found[0] as Manifest;
}

/** Each way to make the objects, with the number of replicas. */
const ways = [
  ['kubernetes/base', 1, () => kustomize('base')],
  ['kubernetes/replicas', 3, () => kustomize('replicas')],
  ['the chart', 1, () => rendered()],
  ['the chart with replicas and Valkey', 3, () => rendered('--set', 'replicas=3,valkey.enabled=true')],
  [
    'the chart with every value',
    2,
    () =>
      rendered(
        ...[
          '--set',
          'replicas=2,store.existingSecret=cache,controlToken.existingSecret=token,issuer=https://dev.example/idp',
        ],
        ...['--set', 'ingress.enabled=true,ingress.host=dev.example,ingress.tlsSecretName=tls,ingress.className=nginx'],
        ...['--set', 'ingress.annotations.a=b,podAnnotations.c=d,nodeSelector.e=f,imagePullSecrets[0].name=g'],
        ...['--set-json', 'config={"users":[{"sub":"dora","claims":{"name":"\\"D\\""}}]}'],
        ...[
          '--set-json',
          'tolerations=[{"key":"k","operator":"Exists"}]',
          '--set-json',
          'affinity={"podAntiAffinity":{}}',
        ],
      ),
  ],
] as const;

describe.each(ways)('%s', (_name, replicas, make) => {
  let manifests: readonly Manifest[];
  let deployment: Manifest;
  beforeAll(async () => {
    manifests = await make();
    deployment = one(manifests, 'Deployment');
  });

  it('has the types of Kubernetes', async () => {
    expect(await problemsOf(manifests)).toBe('');
  });

  it('selects the pods that it makes', () => {
    const { labels } = deployment.spec.template.metadata;
    const service = manifests.find(({ kind, spec }) => kind === 'Service' && spec.clusterIP !== 'None');
    const budget = one(manifests, 'PodDisruptionBudget');
    for (const selector of [
      deployment.spec.selector.matchLabels,
      service?.spec.selector,
      budget.spec.selector.matchLabels,
    ])
      expect(labels).toMatchObject(selector);
    expect(deployment.spec.replicas).toBe(replicas);
    expect(deployment.spec.strategy.type).toBe(replicas === 1 ? 'Recreate' : 'RollingUpdate');
  });

  it('runs without rights, and asks for health and readiness', () => {
    const { spec } = deployment.spec.template;
    const [container] = spec.containers;
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const localhost = [{ name: 'Host', value: 'localhost' }];
    expect(container.livenessProbe.httpGet).toEqual({ path: '/health', port: 'http', httpHeaders: localhost });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/ready', port: 'http' });
    const settings = manifests.find(({ kind, data }) => kind === 'ConfigMap' && data.DRAIN_DELAY !== undefined);
    const drain = Number.parseInt(settings?.data.DRAIN_DELAY, 10);
    expect(drain).toBeGreaterThan(container.readinessProbe.periodSeconds * container.readinessProbe.failureThreshold);
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(drain + 8);
  });

  it('names its config map, and mounts only what it has', () => {
    const { spec } = deployment.spec.template;
    const [container] = spec.containers;
    const names = manifests.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name);
    const used = [
      ...container.envFrom.map(({ configMapRef }: Record<string, { name: string }>) => configMapRef?.name),
      ...spec.volumes.flatMap(({ configMap }: Record<string, { name: string }>) => configMap?.name ?? []),
    ];
    expect(used.toSorted()).toEqual(names.toSorted());
    const volumes = spec.volumes.map(({ name }: { name: string }) => name);
    expect(container.volumeMounts.map(({ name }: { name: string }) => name)).toEqual(volumes);
  });

  it('shares a store if there is more than one', () => {
    const [container] = deployment.spec.template.spec.containers;
    const store = container.env.find(({ name }: { name: string }) => name === 'STORE_URL');
    expect(store !== undefined).toBe(replicas > 1);
    const engine = manifests.find(({ kind }) => kind === 'StatefulSet');
    if (engine === undefined) return;
    expect(store.value).toBe(`valkey://${engine.metadata.name}:6379`);
    const service = one(manifests, 'Service', 'valkey');
    expect(engine.spec.template.metadata.labels).toMatchObject(service.spec.selector);
    expect(engine.spec.serviceName).toBe(service.metadata.name);
    expect(engine.spec.template.spec.containers[0].args.join(' ')).toContain('--maxmemory-policy noeviction');
    const policy = one(manifests, 'NetworkPolicy');
    const allowed = policy.spec.ingress[0].from[0].podSelector.matchLabels;
    expect(deployment.spec.template.metadata.labels).toMatchObject(allowed);
    expect(engine.spec.template.metadata.labels).not.toMatchObject(allowed);
  });
});

describe('the types of Kubernetes', () => {
  it('find a member that does not exist, and one of the wrong type', async () => {
    const service = (spec: object) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec });
    const problems = await problemsOf([service({ tpye: 'x' }), service({ ports: [{ port: '9000' }] })]);
    expect(problems).toContain(`'"tpye"' does not exist`);
    expect(problems).toContain("'string' is not assignable to type 'number'");
  });
});

describe('the chart', () => {
  it('has no complaint of helm lint', async () => {
    const { code, output } = await runProgram(tools.helm, ['lint', '--strict', chart]);
    expect(code, output).toBe(0);
  });

  it('gives the sandbox its clients as a file, and the issuer of the ingress', async () => {
    const args = ['--set', 'ingress.enabled=true,ingress.host=dev.example,controlToken.existingSecret=token'];
    const manifests = await rendered(
      ...args,
      '--set-json',
      'config={"users":[{"sub":"dora"}]}',
      '--set',
      'settings.PRESET=keycloak',
    );
    expect(one(manifests, 'ConfigMap', 'grantbox').data).toMatchObject({
      ISSUER: 'http://dev.example',
      PRESET: 'keycloak',
      TRUST_PROXY: 'private',
    });
    expect(JSON.parse(one(manifests, 'ConfigMap', 'config').data['clients.config.json'])).toEqual({
      users: [{ sub: 'dora' }],
    });
    const [container] = one(manifests, 'Deployment').spec.template.spec.containers;
    expect(container.env).toContainEqual({ name: 'CONFIG_FILE', value: '/config/clients.config.json' });
  });

  it('takes the values of the documentation', async () => {
    const page = readFileSync(join(root, '..', 'docs', 'deployment.md'), 'utf8');
    const [, values = ''] = /```yaml\n(# helm install[^`]+)```/.exec(page) ?? [];
    const folder = newFolder();
    writeFileSync(join(folder, 'values.yaml'), values);
    const manifests = await rendered('--values', join(folder, 'values.yaml'));
    expect(await problemsOf(manifests)).toBe('');
    expect(one(manifests, 'ConfigMap', 'grantbox').data.ISSUER).toBe('https://idp.dev.example');
    expect(one(manifests, 'Deployment').spec.replicas).toBe(3);
  });

  it.each([
    [['replicas=2'], 'replicas: more than one needs a store that they share'],
    [['valkey.enabled=true,store.url=redis://x'], 'valkey.enabled: there is a store already'],
    [['store.url=redis://x,store.existingSecret=y'], 'store: set url or existingSecret, not both'],
    [['ingress.enabled=true'], 'ingress.host: expected the host name that browsers use'],
    [['ingress.enabled=true,ingress.host=dev.example'], 'controlToken.existingSecret: an ingress opens the sandbox'],
    [['settings.PORT=1'], 'settings.PORT: the chart sets it'],
    [['settings.preset=keycloak'], "invalid propertyName 'preset'"],
    [['replica=2'], "additional properties 'replica' not allowed"],
    [['issuer=https://dev.example/'], "at '/issuer'"],
  ])('refuses %j with a sentence', async ([values = ''], sentence) => {
    const { code, output } = await helm('--set', values);
    expect(code).toBe(1);
    expect(output).toContain(sentence);
  });
});
