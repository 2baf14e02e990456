import { ownSettings } from '../../sandbox/config/settings.ts';
import type { Extension } from '../../sandbox/extension.ts';
import { replicaProblems, replicaSettings } from './settings.ts';

/** Several processes that are one sandbox, with their state in Valkey or Redis. */
export const replicas: Extension = {
  name: 'replicas',
  settings: { Storage: replicaSettings },
  wholeProblems: async sources => replicaProblems(sources),
  replica(sandbox, issuer) {
    if (ownSettings<typeof replicaSettings>(sandbox.config).storeUrl === undefined) return undefined;
    return import('./replica.ts').then(({ startReplica }) => startReplica(sandbox, issuer));
  },
};
