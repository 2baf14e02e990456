import type { Shared } from '../../dashboard/page.ts';
import { sh } from '../../dashboard/snippets/snippets.ts';

/** What to type for a flow or a problem that somebody shares. */
export function shareCommands({ kind, id, file }: Shared) {
  const open = `npx grantbox open grantbox-${id}.json`;
  // a problem without a group has the id of its request
  if (file === undefined || id.startsWith('req_')) return { open };
  return { open, repeat: `npx grantbox reproduce ${fileWord(file)} --${kind} ${id} --out reproduced.test.ts` };
}

/** A word of a shell; quoted only where it has to be. */
function fileWord(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : sh(name);
}
