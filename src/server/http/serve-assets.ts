import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler } from 'express';
import { brandCss } from './brand-css.ts';
import { readsGzip } from './send-html.ts';

/** The scripts and styles of the core in `templates/assets/`; those of extensions come to them. */
export const assets: readonly string[] = [
  'grantbox.css',
  'gate-page.css',
  'dashboard-page.css',
  'favicon.svg',
  'dashboard.js',
  'page.js',
  'presenter.js',
  'pane.js',
  'row-form.js',
  'login.js',
  'logged-out.js',
  'check-session.js',
  'form-post.js',
  'message.js',
];

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The known assets and nothing else: no path of a request ever becomes a path of the file system. */
export function serveAssets(templatesFolder: string, added: readonly string[]): RequestHandler {
  const known = new Set([...assets, ...added]);
  const zipped = createZipped(templatesFolder);
  return async (req, res, next) => {
    const name = req.path.slice(1);
    const sheet = brandCss(name);
    if (sheet !== undefined && isRead(req)) return void res.set(sheetHeaders).send(sheet);
    if (!known.has(name) || !isRead(req)) return next();
    const file = `assets/${name}`;
    const headers = {
      'Content-Type': contentTypes[extname(name)],
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding',
    };
    if (readsGzip(req)) {
      res.set({ ...headers, 'Content-Encoding': 'gzip' }).send(await zipped(file));
      return;
    }
    const options = { root: templatesFolder, headers, cacheControl: false };
    res.sendFile(file, options, (error?: NodeJS.ErrnoException) => {
      // A browser that leaves a page drops its requests for assets. That is not a failure, and nobody is left to answer.
      if (error && error.code !== 'ECONNABORTED' && !res.headersSent) next(error);
    });
  };
}

const sheetHeaders = {
  'Content-Type': 'text/css; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
};

function isRead({ method }: { readonly method: string }): boolean {
  return method === 'GET' || method === 'HEAD';
}

const compress = promisify(gzip);

/** Compresses each file once, and again when it has changed: a page is not painted before its stylesheet has arrived. */
function createZipped(folder: string): (file: string) => Promise<Buffer> {
  const known = new Map<string, { readonly changed: number; readonly body: Buffer }>();
  return async file => {
    const path = join(folder, file);
    const { mtimeMs: changed } = await stat(path);
    const made = known.get(file);
    if (made?.changed === changed) return made.body;
    const body = await compress(await readFile(path));
    known.set(file, { changed, body });
    return body;
  };
}
