import { shorten } from './challenge.ts';
import { asSent } from './compared.ts';
import { Problem } from './problem.ts';
import type { Claims } from './token-claims.ts';

/** The name of the check, as Spring Security has it: the scope `products:read` grants the authority `SCOPE_products:read`. */
function authorityOf(scope: string): string {
  return `SCOPE_${scope}`;
}

/** Throws 403 `insufficient_scope` (RFC 6750 §3.1) unless the token carries the scope; one without any scope satisfies no check. */
export function requireAuthority(claims: Claims, scope: string): void {
  const scopes = scopesOf(claims);
  if (scopes?.includes(scope)) return;
  throw insufficientScope(scope, scopes);
}

/** `scope` as a string (RFC 9068 §2.2.3) or a list (Spring), else `scp`; `undefined` if the token has neither. */
export function scopesOf({ scope, scp }: Claims): readonly string[] | undefined {
  const value = scope ?? scp;
  if (typeof value === 'string') return value.split(' ').filter(name => name !== '');
  if (Array.isArray(value)) return value.filter(name => typeof name === 'string');
  return undefined;
}

function insufficientScope(scope: string, scopes: readonly string[] | undefined): Problem {
  const authority = authorityOf(scope);
  const has =
    scopes === undefined ? 'the token has no scope' : `the scope of the token is '${shorten(scopes.join(' '), 200)}'`;
  const description = `${authority} is required; ${has}`;
  return new Problem(403, 'scope_insufficient', description, {
    sent: scopes === undefined ? 'no scope' : asSent('scope', scopes.join(' ')),
    expected: scope,
    challenge: { error: 'insufficient_scope', error_description: description, scope },
    members: {
      error: 'insufficient_scope',
      required_authority: authority,
      required_scope: scope,
      token_scope: scopes === undefined ? null : scopes.join(' '),
    },
  });
}
