import { callWith } from './ask.ts';
import { logIn } from './authorization.ts';
import { type Bench, inserted, readDocument } from './bench.ts';
import type { Checks } from './check.ts';
import { demand } from './demand.ts';
import type { TestRequest } from './http.ts';
import { describe, type Json, listOf, textOf } from './json.ts';
import { registerClient } from './test-client.ts';

/** The APIs that the server describes. */
export const resourceChecks: Checks = {
  protected_resources: {
    promise: 'an API with a document of its own, that takes tokens for it',
    async attempt(bench, resource) {
      const document = await readDocument(bench.http, inserted(resource, 'oauth-protected-resource'));
      demand(document.resource === resource, `its document is about ${document.resource}`);
      const servers = listOf(document, 'authorization_servers');
      demand(servers.includes(bench.subject.issuer), `its servers are ${servers.join(', ')}`);
      if (/\/api\/[^/]+$/.test(resource)) await checkCall(bench, resource, document);
    },
  },
};

/** RFC 9728 §5.1: whoever comes without a token is told where to look; a token for this API is taken. */
async function checkCall(bench: Bench, resource: string, document: Json): Promise<void> {
  const sent = await offeredCall(bench, resource);
  const stranger = await bench.http.send(resource, sent);
  demand(stranger.status === 401, `without a token it answered ${describe(stranger)}`);
  const challenge = String(stranger.headers['www-authenticate'] ?? '');
  const where = inserted(resource, 'oauth-protected-resource');
  demand(challenge.includes(`resource_metadata="${where}"`), `its challenge is ${challenge || 'missing'}`);
  const scopes = listOf(document, 'scopes_supported');
  const client = await registerClient(bench, { scope: ['openid', ...scopes].join(' ') });
  const { tokens } = await logIn(bench, client, { scope: ['openid', ...scopes].join(' '), resource });
  const answer = await callWith(bench, client, resource, textOf(tokens, 'access_token'), sent);
  const asksForMore = String(answer.headers['www-authenticate'] ?? '').includes('insufficient_user_authentication');
  const isTaken = ![401, 403].includes(answer.status) || asksForMore;
  demand(isTaken, `with a token for it it answered ${describe(answer)}`);
}

/** Reads, or sends nothing of value where nothing can be read. */
async function offeredCall({ http }: Bench, resource: string): Promise<TestRequest> {
  const { status } = await http.send(resource);
  if (status !== 405) return {};
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
}
