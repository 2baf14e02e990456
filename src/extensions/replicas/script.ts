import { createHash } from 'node:crypto';

/** A Lua script that the engine runs as one step, so that no other replica sees it half done. */
export interface Script {
  readonly text: string;
  /** The SHA-1 that `EVALSHA` names it by. */
  readonly sha: string;
}

/** Names and values in turn, as a script answers with them. */
export function pairs<T>(flat: readonly T[]): (readonly [T, T])[] {
  return flat.flatMap((name, place) => (place % 2 === 0 ? [[name, flat[place + 1] as T] as const] : []));
}

/** Makes a script from its text. */
export function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

const even = new WeakMap<Script, Script>();

/** The script for work that makes room: a full engine refuses only the first write of a script, and never one that removes. */
export function evenIfFull(refused: Script): Script {
  const known = even.get(refused) ?? script(`redis.call('DEL', KEYS[1]..':none')\n${refused.text}`);
  even.set(refused, known);
  return known;
}
