import * as v from 'valibot';
import { wholeSeconds } from '../config/schema.ts';
import { optional } from './described.ts';

const day = 86_400;

const id = '1 to 64 letters, digits and . _ ~ -, not only periods';

/** Options of an issuer created at run time. */
export const shortLivedMembers = {
  id: optional(
    v.pipe(v.string(id), v.regex(/^(?!\.+$)[A-Za-z0-9._~-]{1,64}$/, id)),
    'The id; the path of the issuer is `/i/<id>`',
  ),
  lifetime: optional(wholeSeconds(1, day), 'Real time after which the issuer ends. Default: one hour'),
  keys: optional(
    v.picklist(['shared', 'own']),
    '`shared` uses the key pairs of the first issuer and takes no time; `own` generates new keys',
  ),
};

export const shortLivedOptions = v.strictObject(shortLivedMembers);

/** The options with the lifetime in seconds. */
export type CheckedOptions = v.InferOutput<typeof shortLivedOptions>;
