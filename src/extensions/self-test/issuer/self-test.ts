import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { defined } from '../../../base/defined.ts';
import { type AuthorizationServer, endpointUrl } from '../../../protocol/authorization-server.ts';
import type { AuthorizationDetailsType } from '../../../protocol/requests/authorization-details.ts';
import type { TestUser } from '../../../protocol/users/user.ts';
import type { Core } from '../../../sandbox/composition/core.ts';
import type { Tls } from '../../../sandbox/composition/tls.ts';
import { ownAddress } from '../../../sandbox/self-request.ts';
import type { RequestLog } from '../../../server/http/log/request-log.ts';
import type { TestedIssuer } from '../bench.ts';
import { nameOf, reportOf, type SelfTestReport, type SelfTestResult } from '../report.ts';
import { testIssuer } from '../self-test.ts';
import { createTwin, type Twin } from './twin.ts';

export { SelfTestError, type SelfTestReport, type SelfTestResult, summaryOf } from '../report.ts';

/** The parts of an issuer that the self-test uses. */
export type Tested = Omit<Core, 'events' | 'users' | 'operations' | 'issuers' | 'reload' | 'fileState'>;

/** Lets requests with these headers through to a listener, as long as the work lasts. */
export type Divert = <T>(listener: RequestListener, work: (headers: Headers) => Promise<T>) => Promise<T>;
type Headers = Readonly<Record<string, string>>;

/**
 * Tests each issuer with real requests at the shared socket. The requests go to a twin of the issuer, so that the test
 * leaves nothing behind. `among` returns the listener of all issuers with the twin in place of the original.
 */
export async function selfTest(
  issuers: readonly Tested[],
  divert: Divert,
  among: (issuer: string, listener: RequestListener) => RequestListener,
): Promise<SelfTestReport> {
  const startedAt = performance.now();
  const results: SelfTestResult[] = [];
  for (const tested of issuers) {
    const guest = guestOf(tested.server);
    const twin = createTwin(tested, guest);
    try {
      const listener = among(tested.server.issuer, twin.listener);
      const note = (result: SelfTestResult) => tell(tested.log, result);
      results.push(...(await divert(listener, headers => testIssuer(subjectOf(tested, twin, guest, headers), note))));
    } finally {
      twin.close();
    }
  }
  return reportOf(results, performance.now() - startedAt);
}

function tell(log: RequestLog, result: SelfTestResult): void {
  const { issuer, member, value, promise, outcome } = result;
  const facts = { issuer, member, value, promise, outcome };
  const why = 'happened' in result ? `: ${result.happened}` : 'why' in result ? `: ${result.why}` : '';
  log.debug(facts, `self-test: ${nameOf(result)}: ${promise}: ${outcome}${why}`);
}

function subjectOf({ config, port, tls }: Tested, twin: Twin, guest: TestUser, headers: Headers): TestedIssuer {
  const { server } = twin;
  const { initialAccessToken } = server.registration;
  return {
    issuer: server.issuer,
    iss: server.iss,
    door: {
      address: ownAddress(config),
      port,
      isSecure: tls !== undefined,
      headers,
      ...(tls?.ca === undefined ? {} : { ca: tls.ca }),
    },
    asks: server.dialect?.asks ?? {},
    spokenScope: scope => server.dialect?.writeScopes([scope]) ?? scope,
    user: { sub: guest.sub, username: guest.username, password: guest.password ?? '' },
    clock: server.clock,
    approvalsUrl: endpointUrl(server, 'approvals'),
    ...defined({
      initialAccessToken,
      resource: server.dialect?.knowsResource && server.protectedResources[0]?.resource,
    }),
    exampleDetails: new Map([...server.authorizationDetailsTypes].map(([name, type]) => [name, exampleOf(type)])),
    async register(metadata) {
      const read = await server.registration.readClient(metadata, 'configuration');
      if ('client' in read) return server.clients.register(read.client);
      throw new Error(read.faults.map(({ member, expected }) => `${member}: expected ${expected}`).join('; '));
    },
    trust(issuer, jwks) {
      const nothingElse = { audience: [], algorithms: [], subjectClaim: 'sub', users: {}, createUsers: false };
      twin.trustedIssuers.set(issuer, { issuer, jwks: { keys: jwks.keys.map(key => ({ ...key })) }, ...nothingElse });
    },
    ...(tls === undefined || !server.features.has('mtls') ? {} : { certify: certifier(tls) }),
  };
}

/** Issues certificates from the trusted CA. Without its key, they come from a new CA that the server does not trust. */
function certifier({ clients }: Tls): NonNullable<TestedIssuer['certify']> {
  return async subject_dn => {
    if (clients !== undefined) return { identity: await clients.issue({ subject_dn }), isTrusted: true };
    const { createClientAuthority } = await import('../../../server/tls/client-authority.ts');
    const stranger = await createClientAuthority(new Date());
    return { identity: await stranger.issue({ subject_dn }), isTrusted: false };
  };
}

/** A user who has every claim that a scope releases. */
function guestOf({ scopes, clock }: AuthorizationServer): TestUser {
  const names = new Set(['name', ...[...scopes.values()].flatMap(scope => scope.claims)]);
  const sub = `self-test-${randomUUID()}`;
  return {
    sub,
    username: sub,
    password: randomUUID(),
    claims: Object.fromEntries([...names].map(name => [name, claimOf(name, clock())])),
    access_token_claims: {},
  };
}

function claimOf(name: string, now: number): unknown {
  if (name === 'address') return { formatted: '1 Test Street' };
  if (name === 'updated_at') return now;
  if (name.endsWith('_verified')) return true;
  return name === 'email' ? 'self-test@example.com' : `Self-test ${name}`;
}

const exampleValues = { string: 'self-test', number: 1, boolean: true, object: {}, array: [] } as const;

function exampleOf({ fields }: AuthorizationDetailsType): Readonly<Record<string, unknown>> {
  const needed = Object.entries(fields).filter(([, { required }]) => required);
  return Object.fromEntries(needed.map(([name, { type }]) => [name, exampleValues[type]]));
}
