import type { RequestHandler } from 'express';
import { assets } from './assets.ts';

/** The known assets and nothing else: no path of a request ever becomes a path of the file system. */
export function serveAssets(templatesFolder: string): RequestHandler {
  return (req, res, next) => {
    const asset = assets.get(req.path.slice(1));
    if (asset === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    const headers = {
      'Content-Type': asset.contentType,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache',
    };
    const options = { root: templatesFolder, headers, cacheControl: false };
    res.sendFile(asset.file, options, (error?: NodeJS.ErrnoException) => {
      // A browser that leaves a page does not wait for its assets: that is no failure, and nobody is there to be told.
      if (error && error.code !== 'ECONNABORTED' && !res.headersSent) next(error);
    });
  };
}
