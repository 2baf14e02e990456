import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/sdk/server/auth/router.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import express from 'express';
import { createRemoteJWKSet, jwtVerify } from 'jose';

export const callback = 'http://localhost:33418/callback';

/** What an application remembers between the steps, as the SDK wants it. */
export interface Provider extends OAuthClientProvider {
  /** Where the user was sent, in order. */
  readonly sentTo: URL[];
  readonly stored: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens };
}

/** An application without scopes of its own: it takes what it is told. `client` is one it has already. */
export function createProvider(
  client?: OAuthClientInformationMixed,
  clientMetadataUrl?: string,
  token_endpoint_auth_method = 'none',
): Provider {
  const stored: Provider['stored'] = client === undefined ? {} : { client };
  const sentTo: URL[] = [];
  let verifier = '';
  return {
    sentTo,
    stored,
    redirectUrl: callback,
    clientMetadata: {
      client_name: 'An MCP client',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method,
    },
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    clientInformation: () => stored.client,
    saveClientInformation(information) {
      stored.client = information;
    },
    tokens: () => stored.tokens,
    saveTokens(tokens) {
      stored.tokens = tokens;
    },
    redirectToAuthorization(url) {
      sentTo.push(url);
    },
    saveCodeVerifier(code) {
      verifier = code;
    },
    codeVerifier: () => verifier,
  };
}

export interface RunningMcpServer extends AsyncDisposable {
  readonly url: URL;
}

/** An MCP server with one tool, protected by the tokens of an issuer: the SDK's own guard, a real key set. */
export async function startMcpServer(issuer: string): Promise<RunningMcpServer> {
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const keys = createRemoteJWKSet(new URL(`${issuer}/oauth2/jwks`));
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(url);
  app.get(new URL(resourceMetadataUrl).pathname, (_req, res) => {
    res.json({ resource: url.href, authorization_servers: [issuer], scopes_supported: ['products:read'] });
  });
  const guard = requireBearerAuth({
    requiredScopes: ['products:read'],
    resourceMetadataUrl,
    verifier: {
      async verifyAccessToken(token) {
        const { payload } = await jwtVerify(token, keys, { issuer, audience: url.href, typ: 'at+jwt' });
        const { client_id, scope, exp = 0 } = payload;
        return { token, clientId: String(client_id), scopes: String(scope).split(' '), expiresAt: exp };
      },
    },
  });
  app.all('/mcp', guard, express.json(), async (req, res) => {
    const mcp = new McpServer({ name: 'test', version: '1' });
    mcp.registerTool('who', { description: 'tells who calls' }, async ({ authInfo }) => ({
      content: [{ type: 'text', text: `called by ${authInfo?.clientId}` }],
    }));
    const transport = new StreamableHTTPServerTransport({});
    await mcp.connect(transport as Parameters<typeof mcp.connect>[0]);
    await transport.handleRequest(req, res, req.body);
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
