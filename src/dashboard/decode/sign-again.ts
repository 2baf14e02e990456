import { recordIn } from '../../base/text/record.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import { parseScope } from '../../protocol/scope.ts';
import { registeredClient } from '../clients-and-users.ts';
import type { PageContext } from '../page.ts';

/** Edited claims that could not be signed, with the errors. */
export interface ClaimsDraft {
  /** The typed text. */
  readonly claims: string;
  readonly header: string;
  readonly problems: readonly string[];
}

type Signed = { readonly ok: true; readonly token: string } | { readonly ok: false; readonly draft: ClaimsDraft };

/** Whether this dashboard may mint tokens. */
export function canSign({ mint, access }: PageContext): boolean {
  return mint !== undefined && access !== 'readonly';
}

/** Signs edited claims with the key of the sandbox. The new token gets a new `jti` and is marked as minted. */
export async function signAgain(context: PageContext, typed: URLSearchParams): Promise<Signed> {
  const [claims, header] = [typed.get('claims') ?? '', typed.get('header') ?? ''];
  const refused = (problems: readonly string[]): Signed => ({ ok: false, draft: { claims, header, problems } });
  const parsed = recordIn(claims);
  if (parsed === undefined) return refused(['The claims must be a JSON object, such as {"sub": "alice"}.']);
  const made = await context.mint?.make(mintMembersOf(parsed, recordIn(header) ?? {}, context));
  if (made === undefined) return refused(['This sandbox does not mint tokens.']);
  if (!made.ok) return refused(made.problems);
  await context.events.caughtUp();
  return { ok: true, token: context.events.issued(made.tokenId)?.token ?? '' };
}

/** Claims that minting adds by default. Those deleted in the form are removed from the token as well. */
const usualClaims = 'iss sub aud client_id iat nbf exp scope auth_time acr amr nonce sid azp at_hash c_hash'.split(' ');

function mintMembersOf({ jti: _, ...claims }: ParsedObject, header: ParsedObject, context: PageContext): ParsedObject {
  const client = tokenClient(claims, context);
  const user = [...context.accounts()].find(({ sub }) => sub === claims.sub);
  const isId =
    user !== undefined && header.typ !== 'at+jwt' && ('nonce' in claims || 'at_hash' in claims || 'azp' in claims);
  const added = { ...registeredClient(context, client)?.access_token_claims, ...user?.access_token_claims };
  const deleted = [...usualClaims, ...Object.keys(added)].filter(name => !Object.hasOwn(claims, name));
  return {
    client,
    type: isId ? 'id' : 'access',
    scope: typeof claims.scope === 'string' ? parseScope(claims.scope).join(' ') : '',
    claims: { ...Object.fromEntries(deleted.map(name => [name, null])), ...claims },
    ...(isId ? {} : { format: 'jwt' }),
    ...(user === undefined ? {} : { user: user.sub }),
    ...lifetimeOf(claims, context.clock()),
    ...(typeof header.typ === 'string' ? { header: { typ: header.typ } } : {}),
  };
}

/** The registered client that the claims name, or the first registered client. */
export function tokenClient({ client_id, azp, aud }: ParsedObject, { registered }: PageContext): string {
  const ids = [...registered()].map(each => each.client_id);
  return [client_id, azp, aud].flat().find((id): id is string => ids.some(each => each === id)) ?? ids[0] ?? '';
}

const longest = 315_576_000;

/** The lifetime for the mint request, so that the history knows the expiry of the token. */
function lifetimeOf({ exp }: ParsedObject, now: number): ParsedObject {
  const lifetime = typeof exp === 'number' ? Math.round(exp - now) : 0;
  return lifetime === 0 || Math.abs(lifetime) > longest ? {} : { lifetime };
}
