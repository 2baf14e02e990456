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
    res.sendFile(asset.file, { root: templatesFolder, headers, cacheControl: false }, error => {
      if (error && !res.headersSent) next(error);
    });
  };
}
