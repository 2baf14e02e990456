import { type Route, routeAt } from './route.ts';

/** Routes that are not endpoints of the authorization server. */
export const otherRoutes: readonly Route[] = [
  routeAt('login GET POST', '/login', 'sign-in page with the demo users'),
  routeAt('consent GET POST', '/consent', 'consent screen, where the user allows or denies access'),
  routeAt(
    'next_login POST',
    '/_sandbox/next-login',
    'chooses who signs in next without a click: JSON with `sub`, optionally `client`, `claims` and `action`',
  ),
  routeAt(
    'control GET POST',
    '/_sandbox',
    'control API, also PUT, PATCH and DELETE: `/_sandbox/openapi.json` lists every operation',
    'RFC 9457, OpenAPI 3.1',
  ),
  routeAt('logout POST', '/logout', 'confirms a logout'),
  routeAt(
    'api GET POST',
    '/api/<collection>[/<id>]',
    'sample backend; also PUT and DELETE',
    'RFC 6750, RFC 9068, RFC 9457',
  ),
  routeAt('dashboard GET', '/dashboard', 'debug dashboard'),
  // links have the last one of a name
  routeAt(
    'health GET',
    '/health/live',
    'liveness in the form of Keycloak (MicroProfile Health); `/health/started` is the same',
  ),
  routeAt('ready GET', '/health/ready', 'readiness in that form'),
  routeAt(
    'health GET',
    '/health',
    'liveness, also at `/isalive`: `"status":"UP"` once keys and routes are ready, with version, start and issuer',
  ),
  routeAt('ready GET', '/ready', 'readiness: 200, or 503 while the server drains or a part that it needs is down'),
  routeAt('root GET', '/', 'redirects a browser to the dashboard, and sends other callers links as JSON'),
];

/** Routes for certificates made on start (`TLS=self-signed`; the second with mutual TLS). */
export const certificateRoutes = {
  ca: routeAt('ca GET', '/tls/ca.pem', 'CA certificate to trust, with `TLS=self-signed`'),
  clientCertificate: routeAt(
    'client_certificate POST',
    '/tls/client.pem',
    'issues a client certificate for the `client_id` or `subject_dn` of a form, with HTTPS',
    'RFC 8705 §2.1',
  ),
};
