import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { authenticateClient, requireGrant } from '../../protocol/clients/client-authentication.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { parameter, parseParameters } from '../../protocol/parameters.ts';
import { issueAccessToken } from '../../protocol/tokens/issue-tokens.ts';

const grant_type = 'client_credentials';

/**
 * The call by which a job of GitHub Actions gets its token: `GET …/idtoken?audience=` with the credentials of the job, the value of
 * `ACTIONS_ID_TOKEN_REQUEST_TOKEN`. Here they are `client_id:client_secret`. An audience need not be a URI, so it is no `resource`.
 */
export async function runnerToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { emit, parameters } = request;
  const { client } = await authenticateClient(server, { ...request, ...withBasic(request), parameters: noForm });
  requireGrant(client, grant_type);
  emit({ type: 'token.requested', client_id: client.client_id, grant_type, ignored: [] });
  const audience = parameter(parameters, 'audience');
  const { token } = await issueAccessToken({
    server,
    client: audience === undefined ? client : { ...client, audience: [audience] },
    redemption: {
      authorization: { id: server.random.id(), client_id: client.client_id, grant_type, scopes: [], resources: [] },
      scopes: [],
      resources: [],
    },
    emit,
  });
  return { kind: 'json', status: 200, body: { count: token.length, value: token } };
}

const noForm = parseParameters('');

/** `Bearer client_id:client_secret` as `Basic`, by which a client authenticates (RFC 6749 §2.3.1). */
function withBasic({ authorization = '' }: EndpointRequest): Pick<EndpointRequest, 'authorization'> {
  const credentials = /^bearer +(.+)$/i.exec(authorization)?.[1] ?? '';
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
