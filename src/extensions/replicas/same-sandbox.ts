import { readFileSync } from 'node:fs';
import { defined } from '../../base/defined.ts';
import { version } from '../../package.ts';
import type { Config, IssuerConfig } from '../../sandbox/config/config.ts';
import { ConfigError, type ConfigProblem, show } from '../../sandbox/config/problem.ts';
import { ownSettings } from '../../sandbox/config/settings.ts';
import type { RequestLog } from '../../server/http/log/request-log.ts';
import { connectEngine, type Engine } from './engine.ts';
import { pairs, script } from './script.ts';
import type { replicaSettings } from './settings.ts';
import { damagedAt } from './store-unavailable.ts';

/** The engine of a sandbox. */
export interface SandboxEngine {
  readonly engine: Engine;
  /** @throws StoreUnavailable if the engine has another sandbox by now */
  checkSame(): Promise<void>;
}

/**
 * Connects to the engine of a sandbox, which remembers what all replicas must have alike: two sandboxes with one prefix would share
 * keys, users and tokens, and replicas with different keys would refuse the tokens of each other.
 * @throws StoreUnavailable as `connected`; ConfigError if the engine has another sandbox at this prefix
 */
export async function engineOf(issuer: string, config: Config, log: RequestLog): Promise<SandboxEngine> {
  const engine = await connected(config, log);
  const here = recordOf(engine, issuer, config);
  try {
    const problems = await problemsOf(engine, here, config);
    if (problems.length > 0) throw new ConfigError(problems);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return {
    engine,
    async checkSame() {
      const [other] = (await agree(engine, here)).differences.filter(isCompared);
      if (other !== undefined) throw damagedAt(engine.key('sandbox'), `another ${other.name}`);
    },
  };
}

const format = 'format';
const byVersion = 'version';
/** Told in the record, and no reason to refuse: replicas of different versions are one sandbox during an update. */
const isCompared = ({ name }: RecordDifference) => name !== byVersion;

/**
 * The settings that all replicas must have alike, by the names of their variables: with different values, one replica would refuse tokens of
 * another. Other settings may differ for the minute of an update. A secret stands as a digest that only this engine can make.
 */
function recordOf(engine: Engine, issuer: string, config: Config): ReadonlyMap<string, string> {
  const digest = (name: string, value: string | undefined) =>
    value === undefined ? 'none' : `the digest ${engine.secret(`${name} ${value}`).slice(0, 12)}`;
  const keysOf = (keys: IssuerConfig['keys']) => (keys.length === 0 ? undefined : JSON.stringify(keys));
  const all = [{ path: '', config }, ...config.issuers].map(({ path, config: own }) => {
    const of = path === '' ? '' : ` of ${path}`;
    return [
      [`PRESET${of}`, own.preset === undefined ? 'none' : textOf(own.preset)],
      [`SIGNING_ALG${of}`, own.signingAlg],
      [`SEED${of}`, digest('SEED', own.seed)],
      [`KEYS_FILE${of}`, digest('KEYS_FILE', keysOf(own.keys))],
    ] as const;
  });
  const secret = [secretOf(engine), digest('secret', '')] as const;
  return new Map([[format, String(sharedFormat)], [byVersion, version], ['ISSUER', issuer], secret, ...all.flat()]);
}

/** The key of the secret that is in all digests. */
const secretOf = (engine: Engine) => engine.key('secret');

function textOf({ name, options }: NonNullable<IssuerConfig['preset']>): string {
  return [name, ...Object.entries(options).map(([option, value]) => `${option}=${value}`)].join(',');
}

async function problemsOf(
  engine: Engine,
  here: ReadonlyMap<string, string>,
  config: Config,
): Promise<readonly ConfigProblem[]> {
  const { storePrefix } = ownSettings<typeof replicaSettings>(config);
  const { record, differences } = await agree(engine, here);
  const all = differences.filter(isCompared);
  const strange = all.find(({ name }) => name === format || name === 'ISSUER');
  if (strange !== undefined) return [strangerAt(engine, storePrefix, strange, record.get(byVersion))];
  const others = `which the replicas at ${engine.address} with the STORE_PREFIX ${storePrefix} have, or another STORE_PREFIX`;
  const told = all.find(({ name }) => name === secretOf(engine));
  return (told === undefined ? all : [told]).map(({ name, here, there }) => ({
    source: name,
    value: here,
    expected: `${there}, ${others}`,
  }));
}

function strangerAt(
  { address }: Engine,
  storePrefix: string,
  { name, here, there }: RecordDifference,
  by: string | undefined,
): ConfigProblem {
  const [found, remedy] =
    name === format
      ? [
          `what Grantbox ${by} keeps in the format ${there} there, and Grantbox ${version} has the format ${here}`,
          'a version of the same format',
        ]
      : [`the sandbox ${there} there, and this one is ${here}`, 'the same ISSUER as the other replicas'];
  const expected = `a prefix of its own: ${address} has ${found}. Set another STORE_PREFIX, or ${remedy}`;
  return { source: 'STORE_PREFIX', value: show(storePrefix), expected };
}

/** Milliseconds that a start waits for the engine, which a container engine may start at the same time. */
const patience = 20_000;
const pause = 500;

/**
 * The engine of a configuration. Its absence and its return are logged.
 * @throws StoreUnavailable if it does not answer within twenty seconds
 */
async function connected(config: Config, log: RequestLog): Promise<Engine> {
  const { storeUrl = '', storePrefix, storeCa } = ownSettings<typeof replicaSettings>(config);
  const ca = storeCa === undefined ? undefined : readFileSync(storeCa, 'utf8');
  const options = { url: storeUrl, prefix: storePrefix, onState, ...defined({ ca }) };
  const until = performance.now() + patience;
  let wasUp = false;

  function onState(state: Engine['state'], error?: unknown): void {
    if (state === 'DOWN') log.failure({ err: error }, 'the shared store is away: requests get 503 until it is back');
    else if (wasUp) log.warn({}, 'the shared store is back');
    wasUp = true;
  }
  for (;;) {
    try {
      return await connectEngine(options);
    } catch (error) {
      if (performance.now() > until) throw error;
      log.debug({ err: error }, 'waiting for the shared store');
      await new Promise(resolve => setTimeout(resolve, pause));
    }
  }
}

/**
 * The form of everything that replicas keep in the engine. It is raised with a change that a replica of an older version would
 * misread, and only then: replicas of different versions with the same form are one sandbox during an update.
 */
const sharedFormat = 1;

/** A member of the record that is not the same here. */
interface RecordDifference {
  readonly name: string;
  readonly here: string;
  readonly there: string;
}

/** A full engine has the record already. */
const agreeScript = script(`
for at = 1, #ARGV, 2 do redis.pcall('HSETNX', KEYS[1], ARGV[at], ARGV[at + 1]) end
return redis.call('HGETALL', KEYS[1])
`);

/**
 * Writes into the record of the sandbox what it lacks, so that an engine that lost its memory has it again. Resolves with what is not the
 * same there, in the order of `here`, and with the record.
 */
async function agree(engine: Pick<Engine, 'key' | 'run'>, here: ReadonlyMap<string, string>) {
  const answer = (await engine.run(agreeScript, [engine.key('sandbox')], [...here].flat())) as readonly string[];
  const record = new Map(pairs(answer));
  const differences = [...here].flatMap(([name, value]): RecordDifference[] => {
    const there = record.get(name) ?? value;
    return there === value ? [] : [{ name, here: value, there }];
  });
  return { record, differences };
}
