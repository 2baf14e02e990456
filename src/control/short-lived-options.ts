import * as v from 'valibot';

const day = 86_400;

const id = 'up to 64 letters, digits and . _ ~ -, at least one of them no period';
const lifetime = 'whole seconds, from 1 to a day';

/** How an issuer that is made at run time lives, as it is said. */
export const shortLivedMembers = {
  id: v.optional(
    v.pipe(v.string(id), v.regex(/^(?!\.+$)[A-Za-z0-9._~-]{1,64}$/, id), v.description('Its path is `/i/<id>`')),
  ),
  lifetime: v.optional(
    v.pipe(
      v.number(lifetime),
      v.integer(lifetime),
      v.minValue(1, lifetime),
      v.maxValue(day, lifetime),
      v.description('Seconds of real time until it ends by itself; 3600 where it is not said'),
    ),
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
