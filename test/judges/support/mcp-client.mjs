// An MCP client of the SDK, used as its documents say: it connects, lists the tools and calls one. The user is a walk through
// redirects. MCP's conformance kit and the examiner both run it: the address is the argument, or GRANTBOX_MCP_URL.
import {
  Client,
  ClientCredentialsProvider,
  DpopSession,
  PrivateKeyJwtProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

const {
  GRANTBOX_MCP_URL,
  MCP_CONFORMANCE_SCENARIO = '',
  MCP_CONFORMANCE_CONTEXT = '{}',
  METADATA_DOCUMENT,
} = process.env;
const url = new URL(process.argv[2] ?? GRANTBOX_MCP_URL);
const given = JSON.parse(MCP_CONFORMANCE_CONTEXT);
const redirectUrl = 'http://localhost:33418/callback';

function createProvider(dpop) {
  const clients = new Map();
  const kept = {};
  return {
    redirectUrl,
    clientMetadataUrl: METADATA_DOCUMENT,
    clientMetadata: {
      client_name: 'An MCP client',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    dpop: () => dpop,
    clientInformation: ({ issuer } = {}) =>
      clients.get(issuer) ?? (given.client_secret === undefined ? undefined : { ...given, issuer }),
    saveClientInformation: (information, { issuer } = {}) => void clients.set(issuer, information),
    tokens: () => kept.tokens,
    saveTokens: tokens => void Object.assign(kept, { tokens }),
    redirectToAuthorization: to => void Object.assign(kept, { to }),
    saveCodeVerifier: verifier => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier,
    saveDiscoveryState: found => void Object.assign(kept, { found }),
    // the state is that of the sign-in under way; afterwards the client looks again
    discoveryState: () => (kept.to === undefined ? undefined : kept.found),
    async callback() {
      let at = kept.to;
      for (let hop = 0; hop < 5; hop++) {
        const response = await fetch(at, { redirect: 'manual' });
        at = new URL(response.headers.get('location') ?? '', at);
        if (at.href.startsWith(redirectUrl)) return at.searchParams;
      }
      throw new Error(`no way back from ${kept.to}`);
    },
    done: () => void delete kept.to,
  };
}

async function providerFor(scenario) {
  const { client_id: clientId, client_secret: clientSecret } = given;
  if (scenario.endsWith('/client-credentials-basic')) return new ClientCredentialsProvider({ clientId, clientSecret });
  if (scenario.endsWith('/client-credentials-jwt'))
    return new PrivateKeyJwtProvider({
      clientId,
      privateKey: given.private_key_pem,
      algorithm: given.signing_algorithm,
    });
  return createProvider(scenario.includes('/dpop') ? await DpopSession.create({ alg: 'ES256' }) : undefined);
}

const authProvider = await providerFor(MCP_CONFORMANCE_SCENARIO);
const open = () => new StreamableHTTPClientTransport(url, { authProvider });

/** Signs in when the server asks for it, twice at most for each call. */
async function signedIn(work, transportOf) {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || tries === 2) throw error;
      await transportOf().finishAuth(await authProvider.callback());
      authProvider.done();
    }
  }
}

let client;
let transport;
await signedIn(
  () => {
    client = new Client({ name: 'judge', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    transport = open();
    return client.connect(transport);
  },
  () => transport,
);
const { tools } = await signedIn(
  () => client.listTools(),
  () => transport,
);
await signedIn(
  () => client.callTool({ name: tools[0].name, arguments: {} }),
  () => transport,
);
await client.close();
