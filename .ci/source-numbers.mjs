// How large the source is, and how large it may be: a commit that makes it smaller lowers the limit, and one that needs more
// than a limit says for what.
// `node .ci/source-numbers.mjs` prints the table with the goals.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What somebody reads before a change of the core. */
const core = ['base', 'protocol', 'record', 'server', 'sandbox', 'dashboard', 'client'];

/** The numbers with their limits and goals. `folder` is `src/`. */
export function sourceNumbers(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => file.endsWith('.ts'))
    .map(file => ({ file, lines: readFileSync(join(folder, file), 'utf8').split('\n').length - 1 }));
  const linesOf = chosen => chosen.reduce((sum, { lines }) => sum + lines, 0);
  const ofCore = files.filter(({ file }) => core.includes(file.split('/')[0]));
  return [
    { what: 'lines of base to client', is: linesOf(ofCore), most: 75_928, goal: 66_000 },
    { what: 'lines of src', is: linesOf(files), most: 139_448, goal: 106_000 },
    { what: 'files of src', is: files.length, most: 1201, goal: 1250 },
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = sourceNumbers(join(import.meta.dirname, '../src'));
  console.table(Object.fromEntries(rows.map(({ what, ...numbers }) => [what, numbers])));
  process.exitCode = rows.every(({ is, most }) => is <= most) ? 0 : 1;
}
