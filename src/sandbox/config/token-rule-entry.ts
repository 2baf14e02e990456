import * as v from 'valibot';
import { nearestName } from '../../base/text/nearest.ts';
import { reservedClaims } from '../../protocol/protocol-claims.ts';
import type { RuledKind } from '../../protocol/token-rule.ts';
import { grantTypes } from './client/client-config.ts';
import type { Finding, Path } from './problem.ts';
import { applyRules, entry, jsonObject, list, oneOf, type Rule, readDraft, text } from './schema.ts';
import { conditionFindings, templateFindings } from './template-findings.ts';

const kinds = ['accessToken', 'idToken', 'userinfo'] as const satisfies readonly RuledKind[];

/** A new token of a refresh token belongs to the grant that the refresh token is of. */
const grants = ['mint', ...grantTypes.filter(grant => grant !== 'refresh_token')];

function oneOrMore<const T extends v.GenericSchema>(item: T, one: string, of: string) {
  const several = v.pipe(list(item, of), v.minLength(1, `at least one of the ${of}, or no list`));
  return v.exactOptional(v.union([item, several], `${one} or a list of ${of}`));
}

/** The shape of an entry of `tokenClaims`. */
export const tokenRuleSchema = entry({
  client: oneOrMore(text, 'a client_id', 'client_ids'),
  scope: oneOrMore(text, 'a scope', 'scopes'),
  audience: oneOrMore(text, 'an audience', 'audiences'),
  grant: oneOrMore(oneOf(grants), `one of ${grants.join(', ')},`, 'these'),
  when: oneOrMore(text, 'a condition such as user.email', 'conditions'),
  for: oneOrMore(oneOf(kinds), `one of ${kinds.join(', ')},`, 'these'),
  claims: jsonObject,
});

type Members = v.InferOutput<typeof tokenRuleSchema>;

/** The names that conditions of rules may use. */
export interface KnownNames {
  /** Undefined where any is accepted; then any audience is known, too. */
  readonly clients: readonly string[] | undefined;
  readonly scopes: readonly string[];
  /** A URI is always known, because a request may name any resource (RFC 8707 §2). */
  readonly audiences: readonly string[];
}

/** All problems of an entry of `tokenClaims`. */
export function checkTokenRule(raw: unknown, { clients, scopes, audiences }: KnownNames): Finding[] {
  const draft = readDraft(tokenRuleSchema, raw);
  const rules: readonly Rule<Members>[] = [
    named('client', 'the client_id of a client', clients),
    named('scope', 'a scope that a client or the member scopes has', scopes),
    named(
      'audience',
      'the audience of a client, a client_id, or the URI of a resource',
      clients === undefined ? undefined : audiences,
    ),
    {
      reads: ['when'],
      check: ({ when }) => placed(['when'], when).flatMap(([path, written]) => conditionFindings(written, path)),
    },
    { reads: ['claims'], check: ({ claims = {} }) => [...reservedFindings(claims), ...templateFindings(claims)] },
  ];
  return [...draft.findings, ...applyRules(draft, rules)];
}

function named(
  member: 'client' | 'scope' | 'audience',
  expected: string,
  known: readonly string[] | undefined,
): Rule<Members> {
  return {
    reads: [member],
    check: members =>
      known === undefined
        ? []
        : placed([member], members[member])
            .filter(([_, name]) => !known.includes(name) && !(member !== 'scope' && URL.canParse(name)))
            .map(([path, value]) => ({ path, value, expected, nearest: nearestName(value, known) })),
  };
}

/** The values of a member that is a text or a list, each with its place. */
function placed(path: Path, written: string | readonly string[] = []): readonly (readonly [Path, string])[] {
  return typeof written === 'string' ? [[path, written]] : written.map((each, index) => [[...path, index], each]);
}

function reservedFindings(claims: object): Finding[] {
  return Object.keys(claims)
    .filter(name => reservedClaims.includes(name))
    .map(name => ({ path: ['claims', name], expected: `a different name: the server sets ${name} itself` }));
}
