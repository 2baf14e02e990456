import { type Opened, openSession } from '../../../src/extensions/sharing/open-session.ts';
import { modules } from '../../../src/modules.ts';
import { newFile } from '../../support/new-folder.ts';
import { get } from '../../support/wire.ts';

/** A session that is open, as a test asks it. */
export interface OpenedPages extends Opened, AsyncDisposable {
  readonly origin: string;
  get(path: string): Promise<Response>;
  /** The text of a page. Fails if its status is another. */
  text(path: string, status?: number): Promise<string>;
}

/** Writes a file, and opens it on a free port. */
export async function openText(content: unknown, name = 'session.json'): Promise<OpenedPages> {
  const opened = await openSession({ name, path: newFile(name, content), port: 0, modules });
  const { origin } = new URL(opened.url);
  const ask = (path: string) => get(origin + path, { accept: 'text/html' });
  return {
    ...opened,
    origin,
    get: ask,
    async text(path, status = 200) {
      const response = await ask(path);
      const text = await response.text();
      if (response.status !== status) throw new Error(`${path} answered ${response.status}, not ${status}: ${text}`);
      return text;
    },
    [Symbol.asyncDispose]: opened.stop,
  };
}
