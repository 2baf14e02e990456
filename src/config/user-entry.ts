import * as v from 'valibot';
import { accessTokenClaimsRule, claimsRule, standardClaims } from './claims.ts';
import type { Finding } from './problem.ts';
import { applyRules, entry, jsonObject, readDraft, text } from './schema.ts';

const subject = 'at most 255 visible ASCII characters (OIDC Core §2)';

/** The shape of an entry of `users`. */
export const userSchema = entry(
  {
    sub: v.pipe(v.string('text'), v.regex(/^[\x20-\x7e]{1,255}$/, subject)),
    username: v.exactOptional(text),
    password: v.exactOptional(text),
    claims: v.exactOptional(jsonObject),
    access_token_claims: v.exactOptional(jsonObject),
  },
  Object.fromEntries([...standardClaims, 'roles', 'groups'].map(name => [name, `claims.${name}`])),
);

/** All problems of an entry of `users`. */
export function checkUser(raw: unknown): Finding[] {
  const draft = readDraft(userSchema, raw);
  return [...draft.findings, ...applyRules(draft, [claimsRule, accessTokenClaimsRule])];
}
