import type { Desk } from './desk.ts';
import { sh } from './snippets/snippets.ts';

/**
 * *Share* on the page of a flow or a problem: the address of its file, the command that opens it, and for a recorded session the
 * command that repeats it in a test.
 */
export function shareOf({ base, opened }: Desk, kind: 'flow' | 'problem', id: string) {
  // a problem without a group has the id of its request
  const isRepeated = opened !== undefined && !id.startsWith('req_');
  return {
    href: `${base}/dashboard/${kind}s/${id}/export/json`,
    command: `npx grantbox open grantbox-${id}.json`,
    reproduce: isRepeated
      ? `npx grantbox reproduce ${fileWord(opened.file)} --${kind} ${id} --out reproduced.test.ts`
      : '',
  };
}

/** A word of a shell; quoted only where it has to be. */
function fileWord(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : sh(name);
}
