import type { RequestListener } from 'node:http';
import type { MetricsRegistry } from './metrics.ts';

/** Answers GET and HEAD for `/metrics`, and leaves every other path to `next`. */
export function answerMetrics(registry: MetricsRegistry, next: RequestListener): RequestListener {
  return (req, res) => {
    if (req.url?.split('?', 1)[0] !== '/metrics') return next(req, res);
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { Allow: 'GET, HEAD', 'Content-Type': 'text/plain' });
      return res.end('/metrics accepts GET and HEAD only\n');
    }
    void registry.render().then(
      text => res.writeHead(200, { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' }).end(text),
      error => res.writeHead(500, { 'Content-Type': 'text/plain' }).end(`the metrics failed: ${nameOf(error)}\n`),
    );
  };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
