import { send } from '../../../server/wire/send.ts';

/** Milliseconds after which a library may fetch keys again. */
export const cooldown = 31_000;

/** A call of an API: the headers of a GET, and a query that is added to its address. */
export interface ApiCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
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
): Promise<{ readonly status: number; readonly challenge?: string }> {
  const url = new URL(api);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  try {
    const sent = { headers, timeoutSeconds: 10, maxBytes: 1_000_000, rejectUnauthorized: !isInsecure };
    const { status, headers: answered } = await send(url, sent);
    const challenge = answered['www-authenticate'];
    return challenge === undefined ? { status } : { status, challenge };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ApiSilent(`your API at ${api} did not answer (${code})`);
  }
}
