import { defined } from '../../base/defined.ts';
import { decodeJwt } from '../../base/text/jwt.ts';
import { isRecord, recordIn } from '../../base/text/record.ts';
import { asJsonText, type Command, CommandFailure, done, type Given, isOn, textOf, type World } from './command.ts';
import { type Connection, connectionFlags, controlFlag } from './connection.ts';
import { discover } from './discovery.ts';
import { connectIssuer } from './locate.ts';
import { type AskingClient, requestTokens, type TokenAnswer } from './token-request.ts';
import { loginWithoutBrowser } from './user-login.ts';

const defaultRedirectUri = 'http://localhost:3000/callback';

/** `grantbox token`. */
export const command: Command = {
  usage: '--client <client_id> [--secret <secret>] [--user <user>] [--scope <scope>]',
  about: [
    'Asks a running sandbox for a token and prints the token, for use in a command line. Without --user, the client gets a token for itself (client credentials). With --user, that user signs in to the client without a browser: the command sends an authorization request with PKCE, keeps the cookies, and redeems the code.',
    'The requests are real: the dashboard shows them like those of an application.',
  ],
  flags: [
    ...connectionFlags,
    { name: 'client', value: '<client_id>', about: 'Client that requests the token' },
    { name: 'secret', value: '<secret>', about: 'Secret of the client; leave it out for a public client' },
    {
      name: 'auth',
      value: '<method>',
      choices: ['basic', 'post'],
      about: 'Place of the secret: the Authorization header (basic) or the form (post)',
      fallback: 'basic',
    },
    { name: 'user', value: '<user>', about: 'User who signs in: sub, username or e-mail' },
    {
      name: 'scope',
      value: '<scope>',
      isList: true,
      about: 'Requested scopes, separated by spaces, or one flag per scope',
      fallback: 'openid with --user, otherwise the scopes of the client',
    },
    { name: 'resource', value: '<url>', about: 'API that the token is for (RFC 8707)' },
    {
      name: 'redirect-uri',
      value: '<url>',
      about: 'With --user: a registered redirect URI of the client. The command does not call it',
      fallback: 'the first registered one, if the control API lists it',
    },
    controlFlag,
    { name: 'json', about: 'Print the whole token response' },
    { name: 'claims', about: 'Print the claims of the access token' },
  ],
  examples: [
    ['grantbox token --client sensor --secret sensor-secret --scope telemetry:write', 'print a token of a service'],
    [
      'curl http://localhost:9000/api/bikes \\\n  -H "Authorization: Bearer $(grantbox token --client frontend --user alice --scope bikes:read)"',
      "an API, called with a user's token",
    ],
    [
      'grantbox token --client frontend --user bob --scope "openid profile offline_access" --json',
      'print all tokens of a login',
    ],
    ['grantbox token --client frontend --user alice --claims', 'print the claims of the token'],
  ],
  async run(given, world) {
    if (isOn(given, 'json') && isOn(given, 'claims'))
      throw new CommandFailure(
        '--json and --claims cannot be used together: --json prints the whole response, --claims only the claims of the access token',
      );
    const tokens = await requestedTokens(given, world);
    if (isOn(given, 'json')) return done(asJsonText(tokens));
    if (isOn(given, 'claims')) return done(asJsonText(claimsIn(tokens.access_token)));
    return done(tokens.access_token);
  },
};

async function requestedTokens(given: Given, world: World): Promise<TokenAnswer> {
  const client = readClient(given);
  const user = textOf(given, 'user');
  const givenUri = readRedirectUri(given, user);
  const connection = await connectIssuer(given, world);
  const metadata = await discover(connection);
  const scope = given.flags.scope?.join(' ') ?? (user === undefined ? undefined : 'openid');
  const resource = textOf(given, 'resource');
  const asked = { ...defined({ scope, resource }) };
  if (user === undefined)
    return requestTokens(connection, metadata, client, { grant_type: 'client_credentials', ...asked });
  const { client_id } = client;
  const redirect_uri = givenUri ?? (await registeredUri(connection, client_id)) ?? defaultRedirectUri;
  const redeemable = await loginWithoutBrowser(connection, metadata, {
    client_id,
    user,
    redirect_uri,
    parameters: asked,
  });
  return requestTokens(connection, metadata, client, { grant_type: 'authorization_code', ...redeemable });
}

function readClient(given: Given): AskingClient {
  const client_id = textOf(given, 'client');
  if (client_id === undefined)
    throw new CommandFailure('--client is missing: give the client_id of a client, such as --client frontend');
  const client_secret = textOf(given, 'secret');
  if (client_secret === undefined && isOn(given, 'auth'))
    throw new CommandFailure('--auth needs a secret: give it with --secret');
  const method = textOf(given, 'auth') === 'post' ? 'post' : 'basic';
  return { client_id, method, ...defined({ client_secret }) };
}

/** The first redirect URI of a client; undefined if the control API refuses to tell. Then the login reports the error. */
async function registeredUri({ ask, controlHeaders }: Connection, client_id: string): Promise<string | undefined> {
  const answered = await ask(`/_sandbox/clients/${encodeURIComponent(client_id)}`, { headers: controlHeaders });
  const entry = answered.status === 200 ? recordIn(answered.text)?.entry : undefined;
  const uris = isRecord(entry) ? entry.redirect_uris : undefined;
  const [first] = Array.isArray(uris) ? uris : [];
  return typeof first === 'string' && URL.canParse(first) ? first : undefined;
}

function readRedirectUri(given: Given, user: string | undefined): string | undefined {
  const uri = textOf(given, 'redirect-uri');
  if (uri === undefined) return undefined;
  if (user === undefined) throw new CommandFailure('--redirect-uri is only for a login: add --user');
  if (URL.canParse(uri)) return uri;
  throw new CommandFailure(`--redirect-uri expects a URI such as ${defaultRedirectUri}, not ${JSON.stringify(uri)}`);
}

/** Decodes the claims for display. It does not check the signature. */
function claimsIn(token: string): unknown {
  const jwt = decodeJwt(token);
  if (jwt !== undefined) return jwt.claims;
  const advice = `Ask the introspection endpoint, or set access_token_format: 'jwt' for the client.`;
  throw new CommandFailure('the access token is opaque, so it has no readable claims', 1, advice);
}
