import { defined } from '../../base/defined.ts';
import { nearestName } from '../../base/text/nearest.ts';
import { isRecord } from '../../base/text/record.ts';
import type { Located } from './documents.ts';
import type { ConfigProblem } from './problem.ts';
import { type SettingName, type SettingValues, settings } from './settings.ts';

/** The client and the member that a variable replaces. */
const seeds: readonly { readonly setting: SettingName; readonly client_id: string; readonly member: string }[] = [
  { setting: 'frontendClientId', client_id: 'frontend', member: 'client_id' },
  { setting: 'frontendRedirectUris', client_id: 'frontend', member: 'redirect_uris' },
  { setting: 'sensorClientId', client_id: 'sensor', member: 'client_id' },
  { setting: 'sensorClientSecret', client_id: 'sensor', member: 'client_secret' },
];

/** The clients as the seed variables rename and change them. A variable for a missing client is a problem. */
export function applySeedVariables(
  clients: readonly Located[],
  values: SettingValues,
): { clients: readonly Located[]; problems: readonly ConfigProblem[] } {
  const given = seeds.filter(({ setting }) => values[setting] !== undefined);
  const ids = clients.map(clientId);
  const problems = given
    .filter(({ client_id }) => !ids.includes(client_id))
    .map(({ setting, client_id }) => {
      const nearest = nearestName(
        client_id,
        ids.filter(id => id !== undefined),
      );
      const source = `environment ${settings[setting].env}`;
      const expected = `a client ${client_id} among the clients`;
      return { source, expected, ...defined({ nearest }) };
    });
  const changed = clients.map(client => {
    const seedsOfClient = given.filter(({ client_id }) => client_id === clientId(client));
    if (seedsOfClient.length === 0 || !isRecord(client.raw)) return client;
    const members = Object.fromEntries(seedsOfClient.map(({ member, setting }) => [member, values[setting]]));
    const sources = seedsOfClient.map(({ member, setting }) => [member, `environment ${settings[setting].env}`]);
    return { ...client, raw: { ...client.raw, ...members }, replaced: Object.fromEntries(sources) };
  });
  return { clients: changed, problems };
}

function clientId({ raw }: Located): string | undefined {
  return isRecord(raw) && typeof raw.client_id === 'string' ? raw.client_id : undefined;
}
