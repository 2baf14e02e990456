import { OAuthError } from '../../protocol/errors.ts';
import { shorten } from '../../protocol/parameters.ts';
import type { Adapter } from './adapter.ts';
import { type CorsSettings, expectedOrigins, mayCall } from './cors.ts';
import type { Middleware } from './middleware.ts';
import { foreignPage } from './origin-check.ts';
import type { EndpointRoute } from './route.ts';

/** Refuses what pages send that CORS does not reach. CORS alone would hide the answer and let the change happen. */
export function knownPages(
  adapter: Adapter,
  { form, cors = 'listed' }: Pick<EndpointRoute, 'form' | 'cors'>,
  settings: CorsSettings,
): Middleware {
  const refuse = adapter.answering(form, async req => {
    throw new OAuthError('invalid_request', 'foreign_origin', 'no client has a page at this origin', {
      status: 403,
      sent: shorten(foreignPage(req) ?? 'no origin'),
      expected: expectedOrigins(cors, settings),
    });
  });
  return (req, res, next) => {
    const page = foreignPage(req);
    if (page === undefined || mayCall(page, cors, settings)) next();
    else refuse(req, res);
  };
}
