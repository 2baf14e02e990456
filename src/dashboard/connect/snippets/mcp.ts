import type { ConnectFacts } from './facts.ts';
import { oneLine, sh } from './literals.ts';
import type { Snippet } from './snippet.ts';

/** Where an MCP server mostly is while it is developed. */
const resource = 'http://localhost:3001/mcp';
const metadataPath = '/.well-known/oauth-protected-resource/mcp';
/** Of the MCP Inspector, as it starts. */
const inspectorCallback = 'http://localhost:6274/oauth/callback';

/** An MCP server of one's own that takes tokens of this sandbox. */
export function mcp(facts: ConnectFacts): readonly Snippet[] {
  const scope = scopeOf(facts);
  return [metadata(facts, scope), challenge(scope), inspector(facts)];
}

function scopeOf({ api, spa }: ConnectFacts): string {
  return api?.scope ?? spa?.scope.split(' ')[0] ?? 'openid';
}

function metadata({ issuer }: ConnectFacts, scope: string): Snippet {
  const document = {
    resource,
    authorization_servers: [issuer],
    scopes_supported: [scope],
    bearer_methods_supported: ['header'],
  };
  return {
    id: 'mcp-metadata',
    family: 'mcp',
    title: 'MCP server: what it says of itself',
    where: `GET ${metadataPath}`,
    language: 'json',
    code: `${JSON.stringify(document, undefined, 2)}\n`,
    note: 'Protected resource metadata (RFC 9728). Write your own address where it says localhost:3001, the same in all three; tokens have it as aud, because MCP clients ask for this resource.',
  };
}

function challenge(scope: string): Snippet {
  const address = new URL(metadataPath, resource).href;
  return {
    id: 'mcp-challenge',
    family: 'mcp',
    title: 'MCP server: the answer without a token',
    where: 'POST /mcp',
    language: 'http',
    code: `HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Bearer resource_metadata="${address}", scope="${oneLine(scope)}"\n`,
    note: 'It leads the client to the metadata, and from there to the issuer. The tokens are checked as in the Express API, with the resource as audience.',
  };
}

function inspector({ issuer, canRegister, spa }: ConnectFacts): Snippet {
  const client = canRegister
    ? 'It registers itself: registration is open.'
    : spa === undefined
      ? `Registration is not open, and there is no public client: add one with ${inspectorCallback} as redirect URI, and give its client_id in the settings.`
      : `Registration is not open: give the client_id ${spa.client_id} in the settings, with ${inspectorCallback} ${spa.anyLoopback ? 'as it is' : 'added to its redirect_uris'}.`;
  return {
    id: 'mcp-inspector',
    family: 'mcp',
    title: 'MCP Inspector',
    where: 'terminal',
    language: 'sh',
    code: `npx @modelcontextprotocol/inspector --transport http --server-url ${sh(resource)}\n`,
    note: `Connect: the login page is that of ${issuer}. ${client}`,
  };
}
