import { type OtherProcess, otherProcess } from './other-process.ts';

/**
 * Finds the processes by which npm, npx, pnpm or yarn runs this one and waits for it, by process id and the nearest first: the
 * shell of each command, npm itself, and those of a script that runs npx. Finds none if npm does not run this process, if a
 * script runs it in the background, or where the system has no `/proc`.
 */
export function npmAbove(parent: number, read: (pid: number) => OtherProcess | undefined = otherProcess): number[] {
  const above: number[] = [];
  let upToNpm = 0;
  for (let pid = parent, found = read(pid); found !== undefined; pid = found.parent, found = read(pid)) {
    const isNpm = runsPackages(found);
    if (!isNpm && !waitsAsShell(found)) break;
    above.push(pid);
    if (isNpm) upToNpm = above.length;
  }
  return above.slice(0, upToNpm);
}

/** npm replaces its arguments by a title, such as `npm exec grantbox`. */
function runsPackages({ args: [program = '', script = ''] }: OtherProcess): boolean {
  return (
    /^npm\b/.test(program) || (/\bnode$/.test(program) && /\/(?:npm|npx|pnpm|yarn)(?:-cli)?(?:\.c?js)?$/.test(script))
  );
}

function waitsAsShell({ args: [shell = '', option, script = ''] }: OtherProcess): boolean {
  return /(?:^|\/)(?:sh|ash|bash|dash|ksh|zsh|fish)$/.test(shell) && option === '-c' && !background.test(script);
}

/** `&` other than in `&&`, `2>&1` and `&>file`, and programs that let another one outlive its shell. */
const background = /(?<![&>])&(?![&>])|\b(?:nohup|setsid|disown)\b/;
