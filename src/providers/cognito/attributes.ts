/** Standard attributes of a user pool, which have the names of OpenID Connect. */
export const standardAttributes = [
  'address',
  'birthdate',
  'email',
  'email_verified',
  'family_name',
  'gender',
  'given_name',
  'locale',
  'middle_name',
  'name',
  'nickname',
  'phone_number',
  'phone_number_verified',
  'picture',
  'preferred_username',
  'profile',
  'updated_at',
  'website',
  'zoneinfo',
];

/** Custom attributes begin with `custom:`. */
export function isAttribute(name: string): boolean {
  return standardAttributes.includes(name) || /^custom:[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,20}$/u.test(name);
}
