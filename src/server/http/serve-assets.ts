import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler } from 'express';
import { brandCss } from './brand-css.ts';

/** A file under `/assets/`: its place in the templates folder, and its type. */
interface Asset {
  /** Relative to the templates folder. */
  readonly file: string;
  readonly contentType: string;
}

const script = 'text/javascript; charset=utf-8';

/** The known assets by the name in `/assets/<name>`; nothing else is ever served. */
export const assets: ReadonlyMap<string, Asset> = new Map([
  ['grantbox.css', { file: 'assets/grantbox.css', contentType: 'text/css; charset=utf-8' }],
  ['gate-page.css', { file: 'assets/gate-page.css', contentType: 'text/css; charset=utf-8' }],
  ['playground.css', { file: 'assets/playground.css', contentType: 'text/css; charset=utf-8' }],
  ['favicon.svg', { file: 'assets/favicon.svg', contentType: 'image/svg+xml' }],
  ['dashboard.js', { file: 'assets/dashboard.js', contentType: script }],
  ['lessons.js', { file: 'assets/lessons.js', contentType: script }],
  ['lessons-page.css', { file: 'assets/lessons-page.css', contentType: 'text/css; charset=utf-8' }],
  ['workshop.js', { file: 'assets/workshop.js', contentType: script }],
  ['workshop-page.css', { file: 'assets/workshop-page.css', contentType: 'text/css; charset=utf-8' }],
  ['login.js', { file: 'assets/login.js', contentType: script }],
  ['logged-out.js', { file: 'assets/logged-out.js', contentType: script }],
  ['check-session.js', { file: 'assets/check-session.js', contentType: script }],
  ['form-post.js', { file: 'assets/form-post.js', contentType: script }],
  ['message.js', { file: 'assets/message.js', contentType: script }],
]);

/** The known assets and nothing else: no path of a request ever becomes a path of the file system. */
export function serveAssets(templatesFolder: string): RequestHandler {
  const zipped = createZipped(templatesFolder);
  return async (req, res, next) => {
    const name = req.path.slice(1);
    const sheet = brandCss(name);
    if (sheet !== undefined && isRead(req)) return void res.set(sheetHeaders).send(sheet);
    const asset = assets.get(name);
    if (asset === undefined || !isRead(req)) return next();
    const headers = {
      'Content-Type': asset.contentType,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding',
    };
    if (req.acceptsEncodings('gzip', 'identity') === 'gzip') {
      res.set({ ...headers, 'Content-Encoding': 'gzip' }).send(await zipped(asset.file));
      return;
    }
    const options = { root: templatesFolder, headers, cacheControl: false };
    res.sendFile(asset.file, options, (error?: NodeJS.ErrnoException) => {
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
