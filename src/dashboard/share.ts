import type { Desk } from './desk.ts';

/** *Share* on the page of a flow or a problem: the address of its file, and what to type for it; empty for nothing. */
export function shareOf({ base, opened, shareCommands }: Desk, kind: 'flow' | 'problem', id: string) {
  const [commands] = shareCommands.map(of => of({ kind, id, file: opened?.file }));
  return {
    href: `${base}/dashboard/${kind}s/${id}/export/json`,
    open: commands?.open ?? '',
    repeat: commands?.repeat ?? '',
  };
}
