import * as v from 'valibot';
import { hashProblem } from '../../protocol/users/password-hash.ts';
import { accessTokenClaimsRule, claimsRule, standardClaims } from './claims.ts';
import type { Finding } from './problem.ts';
import { applyRules, entry, jsonObject, type Rule, readDraft, text } from './schema.ts';

const subject = 'at most 255 visible ASCII characters (OIDC Core §2)';

/** The message of a check says which part of the hash is wrong. */
const hashForm = v.rawCheck<string>(({ dataset, addIssue }) => {
  const problem = dataset.typed ? hashProblem(dataset.value) : undefined;
  if (problem !== undefined) addIssue({ message: problem });
});

const onePasswordRule: Rule<{ readonly password?: string; readonly password_hash?: string }> = {
  reads: ['password', 'password_hash'],
  check: ({ password, password_hash }) =>
    password === undefined || password_hash === undefined
      ? []
      : [{ path: ['password_hash'], expected: '`password` or `password_hash`, not both' }],
};

/** The shape of an entry of `users`. */
export const userSchema = entry(
  {
    sub: v.pipe(v.string('text'), v.regex(/^[\x20-\x7e]{1,255}$/, subject)),
    username: v.exactOptional(text),
    password: v.exactOptional(text),
    password_hash: v.exactOptional(v.pipe(text, hashForm)),
    claims: v.exactOptional(jsonObject),
    access_token_claims: v.exactOptional(jsonObject),
  },
  Object.fromEntries([...standardClaims, 'roles', 'groups'].map(name => [name, `claims.${name}`])),
);

/** All problems of an entry of `users`. */
export function checkUser(raw: unknown): Finding[] {
  const draft = readDraft(userSchema, raw);
  return [...draft.findings, ...applyRules(draft, [claimsRule, accessTokenClaimsRule, onePasswordRule])];
}
