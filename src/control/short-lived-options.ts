import * as v from 'valibot';
import { wholeSeconds } from '../config/schema.ts';
import { optional } from './described.ts';

const day = 86_400;

const id = 'up to 64 letters, digits and . _ ~ -, at least one of them no period';

/** Options of an issuer created at run time. */
export const shortLivedMembers = {
  id: optional(v.pipe(v.string(id), v.regex(/^(?!\.+$)[A-Za-z0-9._~-]{1,64}$/, id)), 'Its path is `/i/<id>`'),
  lifetime: optional(wholeSeconds(1, day), 'Real time until it ends by itself; an hour where it is not said'),
  keys: optional(
    v.picklist(['shared', 'own']),
    '`shared`: it begins with the key pairs of the first issuer, which takes no time; `own`: with new ones',
  ),
};

export const shortLivedOptions = v.strictObject(shortLivedMembers);

/** The options with the lifetime in seconds. */
export type CheckedOptions = v.InferOutput<typeof shortLivedOptions>;
