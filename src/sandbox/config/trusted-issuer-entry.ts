import * as v from 'valibot';
import { privateKeyFindings } from './client/client-key-rules.ts';
import { checked, jwkSet } from './client/client-schema.ts';
import type { Finding } from './problem.ts';
import { applyRules, entry, flag, list, oneOf, type Rule, readDraft, text } from './schema.ts';
import { signingAlgs } from './settings.ts';
import { webUriProblemOf } from './uri.ts';

export const issuerSchema = entry({
  jwks: v.exactOptional(jwkSet),
  jwks_uri: v.exactOptional(checked(webUriProblemOf)),
  audience: v.exactOptional(v.union([text, list(text, 'audiences')], 'an audience or a list of audiences')),
  algorithms: v.exactOptional(v.pipe(list(oneOf(signingAlgs), 'algorithms'), v.minLength(1, 'at least one algorithm'))),
  subjectClaim: v.exactOptional(text),
  users: v.exactOptional(v.record(v.string(), text, 'an object with the sub of a user for each subject')),
  createUsers: v.exactOptional(flag),
});

type Members = v.InferOutput<typeof issuerSchema>;

const rules: readonly Rule<Members>[] = [
  {
    reads: ['jwks', 'jwks_uri'],
    check({ jwks, jwks_uri }) {
      if (jwks === undefined && jwks_uri === undefined) return [{ path: ['jwks'], expected: 'jwks or jwks_uri' }];
      if (jwks === undefined || jwks_uri === undefined) return [];
      return [{ path: ['jwks_uri'], value: jwks_uri, expected: 'either jwks or jwks_uri' }];
    },
  },
  { reads: ['jwks'], check: ({ jwks }) => privateKeyFindings(jwks, 'issuer') },
];

/** All problems of an entry of `trustedIssuers`. `subjects` are the configured users. */
export function checkTrustedIssuer(name: string, raw: unknown, subjects: readonly (string | undefined)[]): Finding[] {
  const draft = readDraft(issuerSchema, raw);
  const isUrl = /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(name) && !/[\s"\\]/.test(name);
  const expected = 'the iss of the JWTs as the name: a URI such as https://idp.example';
  return [
    ...(isUrl ? [] : [{ path: [], expected }]),
    ...draft.findings,
    ...applyRules(draft, [...rules, knownUsers(subjects)]),
  ];
}

/** A mapped subject must lead to an existing user, unless users are created. */
function knownUsers(subjects: readonly (string | undefined)[]): Rule<Members> {
  return {
    reads: ['users', 'createUsers'],
    check({ users = {}, createUsers }) {
      if (createUsers) return [];
      return Object.entries(users)
        .filter(([, sub]) => !subjects.includes(sub))
        .map(([subject, value]) => ({ path: ['users', subject], value, expected: 'the sub of a user' }));
    },
  };
}
