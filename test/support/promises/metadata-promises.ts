import { randomUUID } from 'node:crypto';
import type { ClientEntry, Sandbox, SandboxConfig } from '../../../src/index.ts';
import { standardScopes } from '../../../src/sandbox/config/claims.ts';
import type { JsonObject, JsonValue } from '../../../src/sandbox/config/json.ts';
import { createSandbox } from '../bundle.ts';
import type { TestedIssuer } from './bench.ts';
import { createClientKeys, trustedIssuer } from './client-keys.ts';
import { type PromiseResult, tryPromises } from './try-promises.ts';

/** What clients of a provider know from its documentation, because its metadata does not say it. */
export interface Documented {
  /** The issuer identifier of an issuer at an address. Default: the address. */
  readonly identifier?: (address: string) => string;
  /** Parameters that authorization requests need besides the usual ones. */
  readonly asks?: Readonly<Record<string, string>>;
  /** Scopes that token responses have by a different name. */
  readonly spoken?: Readonly<Record<string, string>>;
  /** An API that a client acting for itself must name. */
  readonly resource?: string;
}

/**
 * Starts a sandbox and tries everything that the metadata of each of its issuers promises, with requests of a client. `change` is
 * done before.
 */
export async function metadataPromises(
  config: SandboxConfig,
  documented: Documented = {},
  change?: (sandbox: Sandbox) => Promise<void>,
): Promise<readonly PromiseResult[]> {
  const keys = await createClientKeys();
  const trustedIssuers = { ...config.trustedIssuers, [trustedIssuer]: { jwks: keys.publicKeys } };
  const { autoLogin: _, ...onPage } = config;
  await using sandbox = await createSandbox({ ...onPage, trustedIssuers });
  await change?.(sandbox);
  const results: PromiseResult[] = [];
  for (const issuer of [sandbox, ...sandbox.issuers.values()]) {
    results.push(...(await tryPromises(await subjectOf(sandbox, issuer, { ...documented, keys }))));
  }
  return results;
}

/** Those that were not kept, as `member value: what happened`. */
export function notKept(results: readonly PromiseResult[]): string[] {
  return results.flatMap(result => {
    if (result.outcome === 'kept') return [];
    return `${result.member} ${result.value}: ${result.outcome === 'broken' ? result.happened : result.why}`;
  });
}

type Issuer = Pick<Sandbox, 'issuer' | 'clients' | 'users' | 'scopes' | 'clock'>;

async function subjectOf(
  { url, tls = {} }: Sandbox,
  { issuer, clients, users, scopes, clock }: Issuer,
  { keys, identifier = address => address, asks, spoken = {}, resource }: Documented & Pick<TestedIssuer, 'keys'>,
): Promise<TestedIssuer> {
  const { ca, clientCertificate } = tls;
  const user = { sub: `test-${randomUUID()}`, password: randomUUID() };
  await users.create({ ...user, username: user.sub, claims: claimsOf(await scopes.list()) });
  return {
    ...{ issuer, iss: identifier(issuer), asks, resource, clock, keys },
    door: { port: Number(new URL(url).port), ca },
    spokenScope: scope => spoken[scope] ?? scope,
    user: { ...user, username: user.sub },
    approvalsUrl: `${issuer}/approvals`,
    // metadata as a client has it; the sandbox says what is wrong with it
    register: async metadata => void (await clients.create(metadata as unknown as ClientEntry)),
    certify: clientCertificate && (subject_dn => clientCertificate({ subject_dn })),
  };
}

/** Every claim that a scope releases. */
function claimsOf(scopes: Awaited<ReturnType<Issuer['scopes']['list']>>): JsonObject {
  const released = [...Object.values(standardScopes), ...scopes].flatMap(({ claims = [] }) => claims);
  return Object.fromEntries(released.map(name => [name, exampleOf(name)]));
}

function exampleOf(name: string): JsonValue {
  if (name === 'address') return { formatted: '1 Test Street' };
  if (name === 'updated_at') return 1_735_689_600;
  if (name.endsWith('_verified')) return true;
  return name === 'email' ? 'test@example.com' : `Test ${name}`;
}
