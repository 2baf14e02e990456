import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { ExamModule } from '../exam-module.ts';
import { notMet } from '../judge.ts';
import { authorizations, type McpPlace, type McpSeen, mcpModule, mustConnect, mustStop } from '../mcp/mcp-module.ts';

// How an MCP client finds the authorization server, and how it becomes a client of it.

const attacker = 'https://attacker.example';
const rootMetadata = '/.well-known/oauth-protected-resource';
const unfound = 'People cannot connect to a server that has its metadata at one of the other places.';
const useDiscovery = 'Use the discovery of the MCP SDK, and put no address together yourself.';

/** An authorization server at the origin of the MCP server, with its metadata at one place alone. */
function authorizationServer({ origin, metadata }: McpPlace, path: string, at: string) {
  const {
    authorization_response_iss_parameter_supported: _,
    dpop_signing_alg_values_supported: __,
    ...known
  } = metadata;
  const issuer = origin + path;
  return { issuer, documents: { [at]: { ...known, issuer } } };
}

interface Found extends Pick<ExamModule, 'id' | 'title' | 'references' | 'right'> {
  readonly metadataAt: string;
  readonly isTold: boolean;
  /** The path of the authorization server, and of its metadata. */
  readonly server: readonly [path: string, metadataAt: string];
  /** A document that a right client does not ask for. */
  readonly trap?: string;
}

function found({ metadataAt, isTold, server, trap, ...words }: Found): ExamModule {
  return mcpModule({
    ...words,
    gain: unfound,
    mend: useDiscovery,
    response: ({ origin }) => ({ iss: origin + server[0] }),
    rules(place) {
      const { issuer, documents } = authorizationServer(place, ...server);
      const resource = metadataAt === rootMetadata ? place.origin : `${place.origin}/mcp`;
      return { metadataAt, isTold, documents, metadata: () => ({ resource, authorization_servers: [issuer] }) };
    },
    judge(seen) {
      const trapped = seen.calls.filter(({ path }) => path === trap);
      if (trapped.length > 0)
        return mustConnect(seen, trapped, 'The app asked for metadata at another place than it was told.');
      const isRead = seen.calls.some(({ path }) => path === metadataAt);
      return mustConnect(seen, isRead ? [] : seen.calls, 'The app did not read the metadata of the MCP server.');
    },
  });
}

/** The places of metadata (RFC 9728, RFC 8414, OpenID Connect Discovery). */
export const placeModules: readonly ExamModule[] = [
  found({
    id: 'metadata-default',
    title: 'The challenge says where the metadata of the MCP server is',
    references: ['RFC 9728 §5.1', 'RFC 8414 §3.1'],
    right: 'Reads resource_metadata of the challenge, and asks nowhere else.',
    metadataAt: '/.well-known/oauth-protected-resource/mcp',
    isTold: true,
    server: ['', '/.well-known/oauth-authorization-server'],
    trap: rootMetadata,
  }),
  found({
    id: 'metadata-var1',
    title: 'The challenge does not say where the metadata is, and the authorization server is one of OpenID Connect',
    references: ['RFC 9728 §3.1', 'OIDC Discovery §4'],
    right: 'Asks at the well-known address with the path of the MCP server, and for openid-configuration as well.',
    metadataAt: '/.well-known/oauth-protected-resource/mcp',
    isTold: false,
    server: ['', '/.well-known/openid-configuration'],
  }),
  found({
    id: 'metadata-var2',
    title: 'The metadata is at the root, and the authorization server has a path',
    references: ['RFC 9728 §3.1', 'RFC 8414 §3.1'],
    right: 'Asks at the root last, and inserts the well-known part before the path of the authorization server.',
    metadataAt: rootMetadata,
    isTold: false,
    server: ['/tenant1', '/.well-known/oauth-authorization-server/tenant1'],
  }),
  found({
    id: 'metadata-var3',
    title: 'The challenge names an unusual address for the metadata',
    references: ['RFC 9728 §5.1', 'OIDC Discovery §4.1'],
    right: 'Reads resource_metadata of the challenge, and appends openid-configuration to the path, too.',
    metadataAt: '/custom/metadata/location.json',
    isTold: true,
    server: ['/tenant1', '/tenant1/.well-known/openid-configuration'],
  }),
];

/** Metadata that is not what it says. */
export const falseMetadataModules: readonly ExamModule[] = [
  mcpModule({
    id: 'resource-mismatch',
    title: 'The metadata is that of another MCP server',
    references: ['RFC 9728 §3.3', 'RFC 8707 §2'],
    gain: 'A server of an attacker gets tokens that are good at the other one.',
    right: 'Compares resource with the address of the MCP server, and stops.',
    mend: 'Do not replace the check of the SDK (validateResourceURL).',
    rules: ({ issuer }) => ({
      metadata: () => ({ resource: `${attacker}/mcp`, authorization_servers: [issuer] }),
    }),
    judge(seen) {
      const read = seen.calls.filter(({ path }) => path.includes(rootMetadata));
      const never = [...authorizations(seen), ...seen.at('token')];
      if (read.length === 0 && never.length === 0)
        return notMet(seen, 'The app did not read the metadata of the MCP server.');
      const verdict = never.length > 0 ? 'fail' : 'pass';
      const why = never.length > 0 ? 'The app went on.' : 'The app went no further.';
      return { verdict, why, requests: never, calls: read };
    },
  }),
  mcpModule({
    id: 'metadata-issuer-mismatch',
    title: 'The metadata names another issuer',
    references: ['RFC 8414 §3.3', 'MCP SEP-2468'],
    gain: 'A server under the control of an attacker passes for the authorization server, and gets codes and tokens.',
    right: 'Compares issuer in the metadata with the address that it asked, and stops.',
    mend: 'Use the discovery of the library, and leave its check of issuer on.',
    metadata: { issuer: attacker },
    judge: seen =>
      mustStop(seen, {
        met: seen.at('discovery'),
        never: [...seen.at('registration'), ...authorizations(seen), ...seen.at('token')],
        absent: 'The app did not ask for the metadata.',
      }),
  }),
];

const noRegistration = 'The app did not register itself.';
const noToken = 'The app sent no token request.';
const notBasic = 'The app did not authenticate by client_secret_basic.';
const methods = { basic: 'client_secret_basic', post: 'client_secret_post', none: 'none' } as const;

function methodOf(request: RecordedRequest): string {
  if (request.header('authorization')?.startsWith('Basic ')) return methods.basic;
  return request.form.has('client_secret') ? methods.post : methods.none;
}

/** The registration response names the one method that the metadata has, too. */
function authModule(name: keyof typeof methods): ExamModule {
  const method = methods[name];
  const secret = method === 'none' ? null : 'secret-of-the-examiner';
  const entry = { token_endpoint_auth_method: method, client_secret: secret };
  return mcpModule({
    id: `token-endpoint-auth-${name}`,
    title: `The registration response says ${method}`,
    references: ['RFC 7591 §3.2.1', 'RFC 6749 §2.3.1'],
    gain: 'People cannot connect, or a secret is sent where nobody expects it.',
    right: 'Authenticates as the registration response says, whatever it asked for.',
    mend: 'Keep the whole registration response, and choose by its token_endpoint_auth_method.',
    metadata: { client_id_metadata_document_supported: null, token_endpoint_auth_methods_supported: [method] },
    registered: { entry, told: entry },
    judge(seen) {
      if (seen.at('registration').length === 0) return notMet(seen, noRegistration);
      const requests = seen.at('token');
      if (requests.length === 0) return notMet(seen, noToken);
      const wrong = requests.filter(request => methodOf(request) !== method);
      if (wrong.length > 0)
        return { verdict: 'fail', why: `The app did not authenticate by ${method}.`, requests: wrong };
      return { verdict: 'pass', why: `The app authenticated by ${method}.`, requests };
    },
  });
}

function judgeMigration(seen: McpSeen) {
  const [first] = authorizations(seen);
  const moved = seen.calls.filter(
    ({ rpc, token, status }) => rpc === 'tools/call' && token !== undefined && status === 401,
  );
  if (first === undefined || moved.length === 0) return notMet(seen, 'The app called no tool.');
  const there = seen.elsewhere.filter(({ event }) => event.endpoint !== 'discovery');
  const taken = there.filter(request => request.value('client_id') === first.value('client_id'));
  if (taken.length > 0)
    return { verdict: 'fail', why: 'The app took its registration to another server.', requests: taken } as const;
  if (there.length === 0)
    return { verdict: 'fail', why: 'The app did not go to the new server.', requests: [], calls: moved } as const;
  return { verdict: 'pass', why: 'The app registered itself at the new server.', requests: there } as const;
}

/** How an app becomes a client. */
export const registrationModules: readonly ExamModule[] = [
  mcpModule({
    id: 'basic-cimd',
    title: 'The authorization server reads client metadata documents',
    references: ['draft-ietf-oauth-client-id-metadata-document §4', 'MCP SEP-991'],
    gain: 'The authorization server gets a new client for each installation, and people cannot tell them apart.',
    right: 'Uses the address of its metadata document as its client_id.',
    mend: 'Publish a client metadata document, and give its address to the SDK (clientMetadataUrl).',
    metadata: { client_id_metadata_document_supported: true },
    judge(seen) {
      const [first] = authorizations(seen);
      if (first === undefined) return notMet(seen, 'The app sent no authorization request.');
      if (URL.canParse(first.value('client_id') ?? ''))
        return { verdict: 'pass', why: 'The app used its metadata document.', requests: [first] };
      return { verdict: 'warn', why: 'The app did not use a metadata document.', requests: [first] };
    },
  }),
  mcpModule({
    id: 'pre-registration',
    title: 'Nobody can register: the app was given a client_id and a secret',
    references: ['RFC 6749 §2.2', 'RFC 6749 §2.3.1'],
    gain: 'People cannot connect where an administrator registers all clients.',
    right: 'Uses the registration that it was given, by the method that the metadata names.',
    mend: 'Let people configure a client_id and a secret, and send them with client_secret_basic.',
    metadata: {
      client_id_metadata_document_supported: null,
      registration_endpoint: null,
      token_endpoint_auth_methods_supported: [methods.basic],
    },
    async client({ redirectUri }) {
      const told = { client_id: 'pre-registered-client', client_secret: 'pre-registered-secret' };
      return { told, entry: { ...told, redirect_uris: [redirectUri] } };
    },
    judge(seen) {
      const own = authorizations(seen).filter(request => request.value('client_id') === 'pre-registered-client');
      if (own.length === 0) return notMet(seen, 'The app did not use the client of MCP_CONFORMANCE_CONTEXT.');
      const wrong = seen.at('token').filter(request => methodOf(request) !== methods.basic);
      if (wrong.length > 0) return { verdict: 'fail', why: notBasic, requests: wrong };
      return mustConnect(seen);
    },
  }),
  authModule('basic'),
  authModule('post'),
  authModule('none'),
  mcpModule({
    id: 'authorization-server-migration',
    title: 'The MCP server moves to another authorization server',
    references: ['RFC 9728 §5.2', 'MCP SEP-2352'],
    gain: 'A new server gets the secret and the client of the old one, and a client that does not look again cannot connect.',
    right: 'Reads the metadata again, and registers itself at the new server.',
    mend: 'Keep each registration with the issuer that it is of.',
    metadata: { client_id_metadata_document_supported: null },
    second: { config: {}, metadata: { client_id_metadata_document_supported: null } },
    rules({ origin, issuer, second }) {
      const old = new Set<string>();
      const metadata = () => ({
        resource: `${origin}/mcp`,
        authorization_servers: [old.size > 0 ? second : issuer],
      });
      return {
        metadata,
        refuse({ rpc, token = '' }) {
          if (old.size === 0 && rpc === 'tools/call') old.add(token);
          return old.has(token) ? { status: 401, challenge: { error: 'invalid_token' } } : undefined;
        },
      };
    },
    judge: judgeMigration,
  }),
];
