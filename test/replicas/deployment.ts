import { type ChildOptions, type RunningChild, runningChild } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { type Balancer, type BalancerOptions, startBalancer } from './balancer.ts';

/** One process of a sandbox, which can be stopped and started again at the same address. */
export interface Replica {
  readonly port: number;
  /** Its own address; clients use the one of the balancer. */
  readonly url: string;
  /** Absent before its start. */
  readonly child: RunningChild | undefined;
  start(): Promise<void>;
  /** Sends the signal and waits for the end. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Processes of what ships that are one sandbox, behind a balancer. */
export interface Deployment {
  /** The address of the balancer, which is the issuer. */
  readonly url: string;
  readonly balancer: Balancer;
  readonly replicas: readonly [Replica, Replica, ...Replica[]];
  [Symbol.asyncDispose](): Promise<void>;
}

export interface DeploymentOptions extends Pick<BalancerOptions, 'mode' | 'checksReady'>, ChildOptions {
  /** The address of the engine. */
  readonly store: string;
  /** How many replicas there are; default 3. */
  readonly count?: number;
  /** How many of them start at once; default all. */
  readonly started?: number;
  /** What one of them has in addition, by its place. */
  readonly own?: (place: number) => ChildOptions;
}

/** Starts replicas and their balancer; all end with the scope. */
export async function startReplicas(options: DeploymentOptions): Promise<Deployment> {
  const {
    store,
    count = 3,
    started = count,
    env = {},
    own = (): ChildOptions => ({}),
    mode = 'http',
    checksReady = false,
  } = options;
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const shared = { ISSUER: url, STORE_URL: store, STORE_PREFIX: crypto.randomUUID(), ...env };
  const { args = [], nodeArgs = [], cwd = import.meta.dirname } = options;
  const replicas: Replica[] = [];
  for (let place = 0; place < count; place++) {
    const { env: more = {}, ...rest } = own(place);
    replicas.push(replica({ args, nodeArgs, cwd, ...rest }, await freePort(), { ...shared, ...more }));
  }
  const stopAll = () => Promise.all(replicas.map(each => each.stop('SIGKILL')));
  try {
    await Promise.all(replicas.slice(0, started).map(each => each.start()));
    const balancer = await startBalancer({ port, replicas: replicas.map(each => each.port), mode, checksReady });
    return {
      url,
      balancer,
      replicas: atLeastTwo(replicas),
      async [Symbol.asyncDispose]() {
        await balancer[Symbol.asyncDispose]();
        await stopAll();
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

function replica(options: ChildOptions, port: number, env: Readonly<Record<string, string>>): Replica {
  let child: RunningChild | undefined;
  return {
    port,
    url: `http://localhost:${port}`,
    get child() {
      return child;
    },
    async start() {
      child = await runningChild({ ...options, env: { ...env, PORT: String(port) } });
    },
    async stop(signal) {
      child?.process.kill(signal);
      await child?.ended;
    },
  };
}

function atLeastTwo([first, second, ...others]: readonly Replica[]): Deployment['replicas'] {
  if (first === undefined || second === undefined) throw new Error('a deployment has at least two replicas');
  return [first, second, ...others];
}
