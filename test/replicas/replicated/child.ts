import { inject } from 'vitest';
import type { ChildOptions, RunningChild } from '../../support/child.ts';
import { type Replica, startReplicas } from '../deployment.ts';

export type { Child, ChildOptions, RunningChild } from '../../support/child.ts';
export { megabytesOf, startChild, until } from '../../support/child.ts';

/** In the place of the one of `test/support/child.ts`: three processes of one sandbox, and haproxy in front of them. */
export async function runningChild(options: ChildOptions = {}): Promise<RunningChild> {
  const deployment = await startReplicas({ ...options, store: inject('store') });
  const { port } = deployment.balancer;
  const children = deployment.replicas.map(childOf);
  const [first] = children;
  if (first === undefined) throw new Error('no replica has started');
  const printed = (stream: 'stdout' | 'stderr') => children.map(({ output }) => output[stream]).join('');
  return {
    ready: first.ready,
    process: signalled(children),
    output: {
      get stdout() {
        return printed('stdout');
      },
      get stderr() {
        return printed('stderr');
      },
    },
    ended: Promise.all(children.map(each => each.ended)).then(async codes => {
      await deployment.balancer[Symbol.asyncDispose](); // with nobody behind it, it would still answer
      return codes.find(code => code !== 0) ?? 0;
    }),
    url: `http://127.0.0.1:${port}`,
    port,
    [Symbol.asyncDispose]: () => deployment[Symbol.asyncDispose](),
  };
}

function childOf({ child }: Replica): RunningChild {
  if (child === undefined) throw new Error('a replica has not started');
  return child;
}

/** A signal that ends a process ends all; another one, such as that for new keys, goes to the first. */
function signalled(children: readonly RunningChild[]): RunningChild['process'] {
  const [first, ...others] = children.map(each => each.process);
  if (first === undefined) throw new Error('no replica has started');
  const kill = first.kill.bind(first);
  first.kill = signal => {
    if (['SIGTERM', 'SIGINT', 'SIGKILL', undefined].includes(signal as string))
      for (const each of others) each.kill(signal);
    return kill(signal);
  };
  return first;
}
