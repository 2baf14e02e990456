import { isRecord } from '../text/record.ts';
import type { ImportFormat } from './imported.ts';

/** The exports that can be imported. The first that recognises a file takes it. */
export const formats: readonly ImportFormat[] = [
  {
    title: 'a realm export of Keycloak',
    sign: 'a member `realm` with the name of a realm',
    recognises: value => isRecord(value) && typeof value.realm === 'string' && value.realm !== '',
    convert: async value => (await import('../presets/keycloak/import/realm.ts')).importRealm(value),
  },
];

/** The format of a parsed file. */
export function formatOf(value: unknown): ImportFormat | undefined {
  return formats.find(({ recognises }) => recognises(value));
}
