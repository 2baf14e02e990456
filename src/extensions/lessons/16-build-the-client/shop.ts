import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { marked } from 'marked';
import type { Participant, SolverPage } from '../solver.ts';
import { filledIn } from '../text/fields.ts';
import { readLessonText } from '../text/lesson-text.ts';
import { partsOf } from '../text/parts.ts';
import text from './lesson.md';

const { tasks } = readLessonText('build-the-client', text);

/** The blocks of the solution of a task: each begins with the comment of the place in the file that it replaces. */
export function solutionOf(task: string): readonly string[] {
  const { solution = '' } = tasks.find(({ id }) => id === task) ?? {};
  return marked.lexer(solution).flatMap(token => (token.type === 'code' ? [String(token.text)] : []));
}

/** The file of the lesson, with each block in its place. */
export function shopFile(issuer: string, blocks: readonly string[]): string {
  const [file = ''] = partsOf(tasks[0]?.text ?? '', '').flatMap(part => ('file' in part ? [part.file.text] : []));
  return blocks.reduce(mended, filledIn(file, { issuer }));
}

function mended(file: string, block: string): string {
  const [comment = ''] = block.split('\n', 1);
  const start = file.indexOf(`${comment}\n`);
  const end = file.indexOf('\n\n', start);
  if (start === -1) throw new Error(`careless-client.mjs has no place ${comment}`);
  return file.slice(0, start) + block + file.slice(end);
}

/** The shop of a learner, and a browser at it. */
export interface Shop {
  signIn(user?: string): Promise<SolverPage>;
  open(path: string): Promise<SolverPage>;
}

/** Runs the shop with these blocks mended while `use` runs. */
export async function withShop(by: Participant, blocks: readonly string[], use: (shop: Shop) => Promise<void>) {
  const port = await freePort();
  const file = shopFile(by.issuer, blocks);
  const url = new URL(`data:text/javascript,${encodeURIComponent(file)}`);
  const worker = new Worker(url, { env: { PORT: String(port) }, stdout: true });
  try {
    // it prints its address, or fails
    await Promise.race([once(worker.stdout, 'data'), once(worker, 'exit')]);
    await use(shopAt(by, `http://localhost:${port}`));
  } finally {
    await worker.terminate();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // of a TCP socket
  server.close();
  await once(server, 'close');
  return port;
}

/** The browser of a participant stops at each redirect to the shop. */
export function shopAt(by: Pick<Participant, 'open' | 'submit'>, origin: string): Shop {
  async function follow(page: SolverPage): Promise<SolverPage> {
    return page.url.origin === origin && page.html === '' ? follow(await by.open(page.url.href)) : page;
  }
  const open = async (path: string) => follow(await by.open(origin + path));
  return {
    open,
    async signIn(user = 'alice') {
      const page = await open('/sign-in');
      return page.url.origin === origin ? page : follow(await by.submit(page, `login-user-${user}`));
    },
  };
}
