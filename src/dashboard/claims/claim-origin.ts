import { tokenTypeOf } from '../../record/flows/token-status.ts';
import { configuredOrigin } from './configured-origin.ts';
import type { ClaimOrigin, Issuance } from './issuance.ts';
import { protocolOrigin } from './protocol-origin.ts';
import { releasedOrigin } from './released-origin.ts';

/** The origin of one claim of a token. */
export function originOf(name: string, issuance: Issuance): ClaimOrigin {
  const { event } = issuance;
  if (event.type === 'token.issued' && event.ruled !== undefined && Object.hasOwn(event.ruled, name)) {
    return { source: 'rule', words: `Set by ${event.ruled[name]}`, path: '/dashboard/settings#token-claims' };
  }
  if (event.type === 'token.issued' && event.edited?.includes(name)) {
    const words = event.minted ? 'Set by the call that minted it' : 'Set for this login in the claims editor';
    return { source: 'edit', words };
  }
  if (event.type === 'token.issued' && event.written?.claims.includes(name)) {
    return { source: 'preset', words: `Set by the preset ${event.written.by}` };
  }
  const protocol = protocolOrigin(name, issuance);
  if (protocol !== undefined) return protocol;
  return tokenTypeOf(event) === 'id' ? releasedOrigin(name, issuance) : configuredOrigin(name, issuance);
}
