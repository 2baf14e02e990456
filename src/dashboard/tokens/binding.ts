import { isRecord } from '../../text/record.ts';

/** What a token is bound to, where it is no bearer token: a key by DPoP (RFC 9449 §6), a certificate (RFC 8705 §3). */
export function bindingOf({ cnf }: Readonly<Record<string, unknown>>): 'dpop' | 'certificate' | undefined {
  if (!isRecord(cnf)) return undefined;
  if (cnf.jkt !== undefined) return 'dpop';
  return cnf['x5t#S256'] === undefined ? undefined : 'certificate';
}
