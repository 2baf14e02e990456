import { defined } from '../../../base/defined.ts';
import { send } from '../../../server/wire/send.ts';

/** Milliseconds after which a library may fetch keys again. */
export const cooldown = 31_000;

/** A call of an API: the headers of a GET, and a query that is added to its address. */
export interface ApiCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** The answer of an API. */
export interface ApiAnswer {
  /** Absent where there was no answer. */
  readonly status?: number;
  /** `WWW-Authenticate`. */
  readonly challenge?: string;
  /** `DPoP-Nonce` (RFC 9449 §9). */
  readonly nonce?: string;
  readonly failure?: string;
}

/** True if the API let the call in. */
export function isLetIn({ status = 0 }: ApiAnswer): boolean {
  return status >= 200 && status < 300;
}

/** The API did not answer. */
export class ApiSilent extends Error {
  override readonly name = 'ApiSilent';
}

/**
 * Calls an API once.
 * @throws ApiSilent if it does not answer
 */
export async function callApi(
  api: URL,
  { headers, query = {} }: ApiCall,
  { isInsecure }: { readonly isInsecure: boolean },
): Promise<ApiAnswer & { readonly status: number }> {
  const url = new URL(api);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  try {
    const sent = { headers, timeoutSeconds: 10, maxBytes: 1_000_000, rejectUnauthorized: !isInsecure };
    const { status, headers: answered } = await send(url, sent);
    const { 'www-authenticate': challenge, 'dpop-nonce': nonce } = answered;
    return { status, ...defined({ challenge, nonce: nonce?.toString() }) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ApiSilent(`your API at ${api} did not answer (${code})`);
  }
}
