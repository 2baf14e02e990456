import { recordIn } from '../../../base/text/record.ts';
import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { ExamModule } from '../exam-module.ts';
import { notMet } from '../judge.ts';
import { authorizations, type McpPlace, type McpSeen, mcpModule, scopeRule, scopesOf } from '../mcp/mcp-module.ts';

// Which scopes an MCP client asks for, and when it asks for more.

const selection = 'MCP Authorization, Scope Selection Strategy';
const leastScope = 'Let the SDK choose the scope, and configure none.';
const tooMuch = 'People are asked for more than the app needs, or the app gets a token that is good for nothing.';
const all = ['mcp:basic', 'mcp:read', 'mcp:write'];
const noStart = 'The app sent no authorization request.';

/** Metadata of the MCP server with scopes. */
function supporting(scopes_supported: readonly string[]) {
  return ({ origin, issuer }: McpPlace) => ({
    metadata: () => ({ resource: `${origin}/mcp`, authorization_servers: [issuer], scopes_supported }),
  });
}

const registered = {
  entry: { scope: ['openid', 'profile', 'email', 'offline_access', ...all, 'mcp:admin'].join(' ') },
};

function judgeStepUp(seen: McpSeen) {
  const refused = seen.calls.filter(({ status }) => status === 403);
  if (refused.length === 0) return notMet(seen, 'The app called no tool.');
  const [first, second] = authorizations(seen);
  if (first === undefined || second === undefined)
    return {
      verdict: 'fail',
      why: 'The app did not ask for the scope that it lacked.',
      requests: [],
      calls: refused,
    } as const;
  const requests = [first, second];
  if (!scopesOf(second).includes('mcp:write'))
    return { verdict: 'warn', why: 'The app asked again without the scope of the challenge.', requests } as const;
  if (!scopesOf(second).includes('mcp:basic'))
    return { verdict: 'warn', why: 'The app asked again and lost the scope that it had.', requests } as const;
  return { verdict: 'pass', why: 'The app asked for the scope that it lacked.', requests } as const;
}

/** The choice of scopes (MCP SEP-835, SEP-2350). */
export const scopeModules: readonly ExamModule[] = [
  mcpModule({
    id: 'scope-from-www-authenticate',
    title: 'The challenge names a scope',
    references: ['RFC 6750 §3', selection],
    gain: tooMuch,
    right: 'Asks for the scope of the challenge.',
    mend: leastScope,
    scopes: all,
    rules: place => ({ scope: 'mcp:basic', ...supporting(['mcp:read'])(place) }),
    judge: seen =>
      scopeRule(
        seen,
        request => scopesOf(request).includes('mcp:basic'),
        'The app did not ask for the scope of the challenge.',
      ),
  }),
  mcpModule({
    id: 'scope-from-scopes-supported',
    title: 'The challenge names no scope, and the metadata of the MCP server has some',
    references: ['RFC 9728 §2', selection],
    gain: tooMuch,
    right: 'Asks for all of scopes_supported.',
    mend: leastScope,
    scopes: all,
    rules: supporting(all),
    judge: seen =>
      scopeRule(
        seen,
        request => all.every(scope => scopesOf(request).includes(scope)),
        'The app did not ask for the scopes of the metadata.',
      ),
  }),
  mcpModule({
    id: 'scope-omitted-when-undefined',
    title: 'Nobody names a scope',
    references: ['RFC 6749 §3.3', selection],
    gain: tooMuch,
    right: 'Leaves scope out, so that the authorization server decides.',
    mend: leastScope,
    metadata: { scopes_supported: null },
    judge: seen => scopeRule(seen, request => scopesOf(request).length === 0, 'The app asked for a scope of its own.'),
  }),
  mcpModule({
    id: 'scope-step-up',
    title: 'A tool needs one more scope',
    references: ['RFC 6750 §3.1', 'MCP SEP-2350'],
    gain: 'People cannot use the tool, or lose what they allowed before.',
    right: 'Asks for the scope of the challenge, and for those that it has.',
    mend: 'Handle 403 with insufficient_scope as the SDK does, and ask for the union of both scopes.',
    scopes: all,
    registered,
    rules(place) {
      const weak = new Set<string>();
      return {
        scope: 'mcp:basic',
        ...supporting(['mcp:basic'])(place),
        refuse({ rpc, token = '' }) {
          if (rpc !== 'tools/call') return undefined;
          if (weak.size === 0) weak.add(token);
          return weak.has(token) ? lacking('mcp:write') : undefined;
        },
      };
    },
    judge: judgeStepUp,
  }),
  mcpModule({
    id: 'scope-retry-limit',
    title: 'Each call is refused for want of a scope, again and again',
    references: ['RFC 6750 §3.1', 'MCP Authorization, Scope Challenge Handling'],
    gain: 'People are sent to the sign-in in a circle, and the authorization server is hammered.',
    right: 'Gives up after three tries at most.',
    mend: 'Count the tries for each call, and say at the end that the scope is missing.',
    scopes: ['mcp:admin'],
    registered,
    logins: 8,
    rules: place => ({
      scope: 'mcp:admin',
      ...supporting(['mcp:admin'])(place),
      refuse: (_, before) =>
        before.filter(({ status }) => status === 403).length > 5 ? { status: 410 } : lacking('mcp:admin'),
    }),
    judge(seen) {
      const requests = authorizations(seen);
      if (requests.length === 0) return notMet(seen, noStart);
      if (requests.length > 3) return { verdict: 'fail', why: `The app asked ${requests.length} times.`, requests };
      return { verdict: 'pass', why: 'The app gave up.', requests };
    },
  }),
];

function lacking(scope: string) {
  return { status: 403, challenge: { error: 'insufficient_scope', scope } };
}

function grantTypesOf(request: RecordedRequest): unknown {
  return recordIn(request.event.exchange.requestBody?.text ?? '')?.grant_types;
}

/** Refresh tokens (MCP SEP-2207). */
export const offlineModules: readonly ExamModule[] = [
  mcpModule({
    id: 'offline-access-scope',
    title: 'The authorization server offers refresh tokens',
    references: ['RFC 7591 §2', 'MCP SEP-2207'],
    gain: 'People sign in again each hour.',
    right: 'Registers itself with the grant type refresh_token.',
    mend: 'Put refresh_token into grant_types of the client metadata.',
    scopes: all,
    metadata: { client_id_metadata_document_supported: null, scopes_supported: ['mcp:basic', 'offline_access'] },
    rules: supporting(['mcp:basic']),
    judge(seen) {
      const requests = seen.at('registration');
      if (requests.length === 0) return notMet(seen, 'The app did not register itself.');
      const isAsked = requests.some(request => [grantTypesOf(request)].flat().includes('refresh_token'));
      if (!isAsked) return { verdict: 'warn', why: 'The app did not register for refresh_token.', requests };
      return { verdict: 'pass', why: 'The app registered for refresh_token.', requests };
    },
  }),
  mcpModule({
    id: 'offline-access-not-supported',
    title: 'The authorization server does not know offline_access',
    references: ['RFC 6749 §3.3', 'MCP SEP-2207'],
    gain: 'People cannot connect: the authorization server refuses an unknown scope.',
    right: 'Asks for offline_access only where scopes_supported of the authorization server has it.',
    mend: 'Let the SDK add offline_access, and do not put it into the scope yourself.',
    scopes: all,
    metadata: { scopes_supported: ['mcp:basic', 'mcp:read'] },
    rules: supporting(['mcp:basic', 'mcp:read']),
    judge(seen) {
      const requests = authorizations(seen);
      if (requests.length === 0) return notMet(seen, noStart);
      const wrong = requests.filter(request => scopesOf(request).includes('offline_access'));
      if (wrong.length > 0) return { verdict: 'fail', why: 'The app asked for offline_access.', requests: wrong };
      return { verdict: 'pass', why: 'The app did not ask for offline_access.', requests };
    },
  }),
];
