import type { Rule } from '../schema.ts';
import type { ClientMembers } from './client-schema.ts';

/** Who sees the same pairwise subject (OIDC Core §8.1). */
export const sectorRules: readonly Rule<ClientMembers>[] = [
  {
    reads: ['subject_type', 'sector_identifier_uri', 'redirect_uris'],
    check({ subject_type, sector_identifier_uri, redirect_uris = [] }) {
      if (subject_type !== 'pairwise' || sector_identifier_uri !== undefined) return [];
      const hosts = new Set(redirect_uris.map(uri => new URL(uri).hostname));
      if (hosts.size < 2) return [];
      const expected = `a sector_identifier_uri, for redirect URIs of ${hosts.size} hosts (OIDC Core §8.1)`;
      return [{ path: ['sector_identifier_uri'], expected }];
    },
  },
];
