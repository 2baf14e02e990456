import { isRecord } from '../../base/text/record.ts';

/** The binding of a token: a key by DPoP (RFC 9449 §6) or a certificate (RFC 8705 §3); undefined for a bearer token. */
export function bindingOf({ cnf }: Readonly<Record<string, unknown>>): 'dpop' | 'certificate' | undefined {
  if (!isRecord(cnf)) return undefined;
  if (cnf.jkt !== undefined) return 'dpop';
  return cnf['x5t#S256'] === undefined ? undefined : 'certificate';
}
