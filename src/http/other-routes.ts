import type { Route } from './route.ts';

/** What is not an endpoint of the authorization server. */
export const otherRoutes: readonly Route[] = [
  { name: 'login', methods: ['GET', 'POST'], path: '/login', about: 'login screen with the demo users', source: '' },
  { name: 'consent', methods: ['GET', 'POST'], path: '/consent', about: 'what the user allows', source: '' },
  {
    name: 'next_login',
    methods: ['POST'],
    path: '/_sandbox/next-login',
    about: 'says who signs in next without a click: JSON with `sub`, and `client`, `claims`, `action` as wanted',
    source: '',
  },
  {
    name: 'control',
    methods: ['GET', 'POST'],
    path: '/_sandbox',
    about: 'control API, also with PUT, PATCH and DELETE: every operation is in `/_sandbox/openapi.json`',
    source: 'RFC 9457, OpenAPI 3.1',
  },
  { name: 'logout', methods: ['POST'], path: '/logout', about: 'confirmation of a logout', source: '' },
  {
    name: 'api',
    methods: ['GET', 'POST'],
    path: '/api/<collection>[/<id>]',
    about: 'sample backend; also PUT and DELETE',
    source: 'RFC 6750, RFC 9068, RFC 9457',
  },
  { name: 'dashboard', methods: ['GET'], path: '/dashboard', about: 'debug dashboard', source: '' },
  {
    name: 'health',
    methods: ['GET'],
    path: '/health',
    about: '`{"status":"UP"}` once keys and routes are ready',
    source: '',
  },
  {
    name: 'root',
    methods: ['GET'],
    path: '/',
    about: 'to the dashboard for a browser, links as JSON otherwise',
    source: '',
  },
];

/** What is there where certificates were made on start (`TLS=self-signed`; the second with mutual TLS). */
export const certificateRoutes = {
  ca: {
    name: 'ca',
    methods: ['GET'],
    path: '/tls/ca.pem',
    about: 'CA certificate to trust, with `TLS=self-signed`',
    source: '',
  },
  clientCertificate: {
    name: 'client_certificate',
    methods: ['POST'],
    path: '/tls/client.pem',
    about: 'client certificate for the `client_id`, or the `subject_dn`, of a form, with HTTPS',
    source: 'RFC 8705 §2.1',
  },
} as const satisfies Readonly<Record<string, Route>>;
