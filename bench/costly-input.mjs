// Texts that cost a server most where it reads them without care. test/conformance/floods.test.ts sends the forms, too.

const many = (count, make) => Array.from({ length: count }, (_, n) => make(n));
const members = (count, value) => Object.fromEntries(many(count, n => [`m${n}`, value]));
const json = value => encodeURIComponent(JSON.stringify(value));
const long = 'x'.repeat(60_000);

/** Where forms are read. */
export const costlyPaths = [
  '/oauth2/token',
  '/oauth2/par',
  '/oauth2/device_authorization',
  '/oauth2/bc-authorize',
  '/oauth2/introspect',
  '/oauth2/device_verification',
];

export const costlyForms = [
  ['nine thousand scopes', `scope=${many(9000, n => `s${n}`).join('+')}`],
  ['the same scope thirty thousand times', `scope=${'o+'.repeat(30_000)}`],
  ['a long scope', `scope=${long}`],
  ['a long client_id', `client_id=${long}`],
  ['a long redirect_uri', `redirect_uri=http://${'a.'.repeat(30_000)}`],
  ['a long state of escapes', `state=${'%41'.repeat(20_000)}`],
  ['a long response_type', `response_type=${'code+'.repeat(12_000)}`],
  ['a long user_code', `user_code=${'-'.repeat(60_000)}`],
  ['a long token of dots', `token=${'.'.repeat(60_000)}&subject_token=${'.'.repeat(3)}`],
  [
    'a long assertion',
    `client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer&client_assertion=${'a.'.repeat(30_000)}`,
  ],
  ['a request of long parts', `request=${'A'.repeat(20_000)}.${'A'.repeat(20_000)}.A`],
  ['ninety resources', many(90, n => `resource=https://a.example/${n}${'x'.repeat(500)}`).join('&')],
  ['claims with a thousand members', `claims=${json({ userinfo: members(1000, { essential: true }) })}`],
  ['a list of a thousand details', `authorization_details=${json(many(1000, () => ({ type: 'payment' })))}`],
];

const app = { client_id: 'large', client_secret: 'its secret', redirect_uris: ['https://app.example/cb'] };

/** JSON bodies, by where they are read: for the registration endpoint, and as much as the control API takes, or too much. */
export const costlyBodies = [
  ['a list in a list, 25,000 times', '/connect/register', '['.repeat(25_000) + ']'.repeat(25_000)],
  ['two thousand redirect URIs', '/connect/register', { redirect_uris: many(2000, n => `https://app.example/${n}`) }],
  ['four thousand unknown members', '/connect/register', { redirect_uris: app.redirect_uris, ...members(4000, 1) }],
  ['two thousand keys', '/_sandbox/clients', { ...app, jwks: { keys: many(2000, () => ({ kty: 'RSA' })) } }],
  ['40,000 keys', '/_sandbox/clients', { ...app, jwks: { keys: many(40_000, () => ({ kty: 'RSA' })) } }],
  ['4,900 redirect URIs', '/_sandbox/clients', { ...app, redirect_uris: many(4900, n => `https://app.example/${n}`) }],
  ['60,000 unknown members', '/_sandbox/clients', members(60_000, 1)],
  ['4,900 claims of a user', '/_sandbox/users', { sub: 'large', claims: members(4900, 1) }],
  ['4,900 claims of a token', '/_sandbox/tokens', { client: 'frontend', user: 'alice', claims: members(4900, 1) }],
  [
    '800 clients of an issuer',
    '/_sandbox/issuers',
    { config: { clients: many(800, n => ({ ...app, client_id: `client-${n}` })) } },
  ],
  ['350,000 empty objects', '/_sandbox/users', many(349_000, () => ({}))],
];
