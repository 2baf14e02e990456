import * as v from 'valibot';
import { wholeSeconds } from '../config/schema.ts';

const day = 86_400;

const id = 'up to 64 letters, digits and . _ ~ -, at least one of them no period';

/** How an issuer that is made at run time lives, as it is said. */
export const shortLivedMembers = {
  id: v.optional(
    v.pipe(v.string(id), v.regex(/^(?!\.+$)[A-Za-z0-9._~-]{1,64}$/, id), v.description('Its path is `/i/<id>`')),
  ),
  lifetime: v.optional(
    v.pipe(wholeSeconds(1, day), v.description('Real time until it ends by itself; an hour where it is not said')),
  ),
  keys: v.optional(
    v.pipe(
      v.picklist(['shared', 'own']),
      v.description(
        '`shared`: it begins with the key pairs of the first issuer, which takes no time; `own`: with new ones',
      ),
    ),
  ),
};

export const shortLivedOptions = v.strictObject(shortLivedMembers);

/** The options with the lifetime in seconds. */
export type CheckedOptions = v.InferOutput<typeof shortLivedOptions>;
