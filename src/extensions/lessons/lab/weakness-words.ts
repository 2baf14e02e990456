import type { Relaxation } from '../../../protocol/relaxation.ts';
import type { ApiCheck } from './lab.ts';

/** The words of each relaxation. A relaxation without an entry does not compile. */
export const relaxationWords: Readonly<Record<Relaxation, string>> = {
  pkce_absent: '`pkce_absent`: the server issues a code without PKCE to a public client (RFC 9700 §2.1.1).',
  pkce_downgrade:
    '`pkce_downgrade`: the server ignores a `code_verifier` if there was no `code_challenge` (RFC 9700 §4.8.2).',
  redirect_prefix:
    '`redirect_prefix`: the server accepts a `redirect_uri` that begins like a registered one (RFC 9700 §4.1.3).',
  device_warning:
    '`device_warning`: the page for the code of a device asks no question and gives no warning (RFC 8628 §5.4).',
};

/** The words of each check that an API of a lab can leave out. */
export const apiWords: Readonly<Record<ApiCheck, string>> = {
  alg: 'The API of the lab takes the algorithm from the header of the token: `alg`.',
  jku: 'The API of the lab fetches its keys from the address in the header of the token: `jku`.',
  aud: 'The API of the lab does not compare `aud`.',
  typ: 'The API of the lab does not compare `typ`, and asks for no scope.',
};
