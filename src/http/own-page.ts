import type { Adapter } from './adapter.ts';
import { foreignOrigin, isOwnOrigin } from './origin-check.ts';
import type { Handler } from './request-context.ts';
import type { EndpointRoute } from './route.ts';

/** A page on which a user decides something: its form is taken from ourselves only. */
export function ownPage(adapter: Adapter, { endpoint, form }: EndpointRoute): Handler {
  const serve = adapter.serve(endpoint, form);
  const refuse = adapter.answering(form, async req => {
    throw foreignOrigin(req);
  });
  return (req, res) => (req.method === 'POST' && !isOwnOrigin(req) ? refuse(req, res) : serve(req, res));
}
