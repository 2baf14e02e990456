import type { AuthorizationServer } from '../authorization-server.ts';

/** The access that a user has given to a client so far. */
interface EarlierGrant {
  readonly scopes: readonly string[];
}

type Keeper = Pick<AuthorizationServer, 'store'>;
type Parties = readonly [client_id: string, sub: string];

/** Seconds: ten years, because a provider remembers a grant until the user or the client ends it. */
const remembered = 10 * 365 * 24 * 3600;

export function earlierGrant({ store }: Keeper, parties: Parties): Promise<EarlierGrant | undefined> {
  return store.get<EarlierGrant>(keyOf(parties));
}

export async function rememberGrant({ store }: Keeper, parties: Parties, grant: EarlierGrant): Promise<void> {
  await store.put(keyOf(parties), grant, remembered);
}

/** The next grant of the user to the client is a first one again. */
export async function forgetGrant({ store }: Keeper, parties: Parties): Promise<void> {
  await store.delete(keyOf(parties));
}

function keyOf(parties: Parties) {
  return ['earlier_grant', JSON.stringify(parties)] as const;
}
