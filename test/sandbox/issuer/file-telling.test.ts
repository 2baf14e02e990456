import { expect, it } from 'vitest';
import type { ConfigurationReloaded, ReloadedBy } from '../../../src/base/events/configuration-events.ts';
import { createEventLog } from '../../../src/base/events/event-log.ts';
import { createFileTelling } from '../../../src/sandbox/issuer/file-telling.ts';

const file = 'clients.config.ts';
const reloaded = (by: ReloadedBy, more: Partial<ConfigurationReloaded> = {}): ConfigurationReloaded => ({
  ...{ type: 'configuration.reloaded', file, by },
  ...{ entries: [], settings: [], atNextStart: [], ...more },
});
const refused = (by: ReloadedBy, ...problems: string[]) =>
  ({ type: 'configuration.refused', file, by, problems }) as const;

function telling() {
  const events = createEventLog({ capacity: 100, now: () => 1 });
  return { events, ...createFileTelling(events) };
}

it('reports a rewritten file with the same content only on request', () => {
  const { events, tell } = telling();
  tell(reloaded('file'));
  expect(events.lastId).toBe(0);
  tell(reloaded('signal'));
  expect(events.latest('configuration.reloaded', 10)).toHaveLength(1);
});

it('tells of the same problems once, and of a file that is mended though it says what it said before them', () => {
  const { events, tell, fileState } = telling();
  tell(refused('file', 'a problem'));
  tell(refused('file', 'a problem'));
  tell(refused('file', 'another problem'));
  expect(events.latest('configuration.refused', 10)).toHaveLength(2);
  expect(fileState().refused?.problems).toEqual(['another problem']);
  tell(reloaded('file'));
  expect(events.latest('configuration.reloaded', 10)).toHaveLength(1);
  expect(fileState().refused).toBeUndefined();
});

it('reports settings that wait for the next start once, and reports when none waits any more', () => {
  const { events, tell } = telling();
  const atNextStart = [{ name: 'PORT', from: '9000', to: '9001' }];
  tell(reloaded('file', { atNextStart }));
  tell(reloaded('file', { atNextStart: atNextStart.map(each => ({ ...each })) }));
  expect(events.latest('configuration.reloaded', 10)).toHaveLength(1);
  tell(reloaded('file'));
  expect(events.latest('configuration.reloaded', 10)).toHaveLength(2);
});

it('remembers what changed last, though it is read again since and the history is cleared', () => {
  const { events, tell, fileState } = telling();
  tell(reloaded('file', { entries: [{ kind: 'user', name: 'ann', change: 'added', members: [] }] }));
  tell(reloaded('api'));
  events.clear();
  expect(fileState().used?.id).toBe(2);
  expect(fileState().changed?.entries).toMatchObject([{ name: 'ann' }]);
});
