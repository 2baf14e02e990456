import { defined } from '../../base/defined.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';
import { entriesOf } from '../../sandbox/control/change-entry.ts';
import type { ControlParts } from '../../sandbox/control/control-parts.ts';
import type { Entry } from '../../sandbox/control/entry.ts';
import { currentRules } from '../../sandbox/control/token-claims.ts';
import { keptEntries } from './kept-entries.ts';
import { besideOf, type SavedKind, savedKinds } from './saved-kinds.ts';
import type { SavedEntries, SavedIssuer } from './saved-state.ts';

/** Everything that one issuer remembers beyond its configuration, and that outlives a restart. The keys are private ones. */
export async function captureIssuer(parts: ControlParts): Promise<SavedIssuer> {
  const { server, config } = parts;
  const [keys, entries] = await Promise.all([server.keys.kept(), server.store.entries([...keptEntries.keys()])]);
  const saved = Object.fromEntries(savedKinds(parts).map(kind => [kind.list, entriesIn(kind)]));
  const rules = currentRules(server);
  return {
    keys: keys.map(({ jwk, ...facts }) => ({ ...facts, jwk: { ...jwk } })),
    pairwiseSalt: server.pairwiseSalt,
    ...(saved as Record<SavedKind['list'], SavedEntries>), // the lists of all kinds
    ...defined({ tokenClaims: isSameJson(rules, config.tokenClaims) ? undefined : [...rules] }),
    store: entries.map(({ key: [kind, id], value, expiresAt }) => [kind, id, value, expiresAt]),
  };
}

/** Entries never change in place, so each is written once. */
const written = new WeakMap<object, Entry>();

function entriesIn({ rules, beside }: SavedKind): SavedEntries {
  const entries = entriesOf(rules);
  const changed = entries.ids().filter(id => entries.isChanged(id));
  const deleted = rules
    .configured()
    .map(rules.idOf)
    .filter(id => rules.now.get(id) === undefined);
  return { changed: changed.flatMap(id => savedEntry(rules, beside, id)), deleted };
}

function savedEntry(rules: SavedKind['rules'], beside: SavedKind['beside'], id: string): SavedEntries['changed'] {
  const one = rules.now.get(id);
  if (one === undefined) return [];
  const entry = written.get(one) ?? rules.write(one);
  written.set(one, entry);
  return [{ entry, ...besideOf(beside, one) }];
}
