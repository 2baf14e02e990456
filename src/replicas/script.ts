import { createHash } from 'node:crypto';

/** A Lua script that the engine runs as one step, so that no other replica sees it half done. */
export interface Script {
  readonly text: string;
  /** The SHA-1 that `EVALSHA` names it by. */
  readonly sha: string;
}

/** Makes a script from its text. */
export function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}
