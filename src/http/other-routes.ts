import { type Route, routeAt } from './route.ts';

/** Routes that are not endpoints of the authorization server. */
export const otherRoutes: readonly Route[] = [
  routeAt('login GET POST', '/login', 'login screen with the demo users'),
  routeAt('consent GET POST', '/consent', 'what the user allows'),
  routeAt(
    'next_login POST',
    '/_sandbox/next-login',
    'says who signs in next without a click: JSON with `sub`, and `client`, `claims`, `action` as wanted',
  ),
  routeAt(
    'control GET POST',
    '/_sandbox',
    'control API, also with PUT, PATCH and DELETE: every operation is in `/_sandbox/openapi.json`',
    'RFC 9457, OpenAPI 3.1',
  ),
  routeAt('logout POST', '/logout', 'confirmation of a logout'),
  routeAt(
    'api GET POST',
    '/api/<collection>[/<id>]',
    'sample backend; also PUT and DELETE',
    'RFC 6750, RFC 9068, RFC 9457',
  ),
  routeAt('dashboard GET', '/dashboard', 'debug dashboard'),
  routeAt('health GET', '/health', '`{"status":"UP"}` once keys and routes are ready'),
  routeAt('root GET', '/', 'to the dashboard for a browser, links as JSON otherwise'),
];

/** Routes for certificates made on start (`TLS=self-signed`; the second with mutual TLS). */
export const certificateRoutes = {
  ca: routeAt('ca GET', '/tls/ca.pem', 'CA certificate to trust, with `TLS=self-signed`'),
  clientCertificate: routeAt(
    'client_certificate POST',
    '/tls/client.pem',
    'client certificate for the `client_id`, or the `subject_dn`, of a form, with HTTPS',
    'RFC 8705 §2.1',
  ),
};
