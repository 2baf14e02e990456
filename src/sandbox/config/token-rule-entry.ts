import * as v from 'valibot';
import { nearestName } from '../../base/text/nearest.ts';
import { isRecord } from '../../base/text/record.ts';
import { listing } from '../../base/text/words.ts';
import { conditionParts, placeholder } from '../../protocol/dialects/claim-rules.ts';
import { reservedClaims } from '../../protocol/protocol-claims.ts';
import type { RuledKind } from '../../protocol/token-rule.ts';
import { grantTypes } from './client/client-config.ts';
import type { Finding, Path } from './problem.ts';
import { applyRules, entry, jsonObject, list, oneOf, type Rule, readDraft, text } from './schema.ts';

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

/** The first names of paths. */
const roots = ['user', 'client', 'request', 'grant', 'scopes', 'claims'];

/** `user.email`, `user.address.country`, `claims[https://shop.example/roles]`. */
const pathForm = /^[^\s.[\]{}!]+(\.[^\s.[\]{}]+|\[[^\]]+\])*$/;

const operators = ['$each', '$map'] as const;
/** The first names of paths that `$as` has besides the others. */
const namesInside = { $each: ['key', 'value'], $map: ['value', 'outer'] };

/** The problems of a path in a condition or in a placeholder. Inside `$as` there are more names. */
function pathFindings(written: string, path: Path, known: readonly string[] = roots): Finding[] {
  if (!pathForm.test(written)) {
    return [{ path, value: written, expected: 'a path such as user.email or claims[https://shop.example/roles]' }];
  }
  const [root = ''] = written.split(/[.[]/, 1);
  if (known.includes(root)) return [];
  const expected = `a path that begins with ${listing(known, 'or')}`;
  return [{ path, value: written, expected, nearest: nearestName(root, known) }];
}

/** The problems of a condition in `when`. */
function conditionFindings(written: string, place: Path): Finding[] {
  const { path, operator, wanted } = conditionParts(written);
  if (operator === '~' && !isExpression(wanted))
    return [{ path: place, value: wanted, expected: 'a regular expression after the ~' }];
  return pathFindings(path, place);
}

function isExpression(text: string): boolean {
  try {
    return new RegExp(text) !== undefined;
  } catch {
    return false;
  }
}

/** The problems of the templates of claims. */
function templateFindings(claims: Readonly<Record<string, unknown>>): Finding[] {
  return Object.entries(claims).flatMap(([name, template]) => findingsIn(template, ['claims', name], roots));
}

function findingsIn(template: unknown, path: Path, known: readonly string[]): Finding[] {
  if (typeof template === 'string') return textFindings(template, path, known);
  if (Array.isArray(template)) return template.flatMap((item, index) => itemFindings(item, [...path, index], known));
  if (!isRecord(template)) return [];
  const operator = operators.find(name => name in template);
  if (operator !== undefined) return operatorFindings(template, operator, path, known);
  return Object.entries(template).flatMap(([name, inner]) => findingsIn(inner, [...path, name], known));
}

/** A list may have `${...path}` as an item. */
function itemFindings(item: unknown, path: Path, known: readonly string[]): Finding[] {
  const spread = typeof item === 'string' ? /^\$\{\.\.\.([^}]+)\}$/.exec(item)?.[1] : undefined;
  return spread === undefined ? findingsIn(item, path, known) : pathFindings(spread, path, known);
}

function textFindings(text: string, path: Path, known: readonly string[]): Finding[] {
  if (text.replaceAll(placeholder, '').includes('${')) {
    return [{ path, value: text, expected: `each placeholder in the form \${user.email}` }];
  }
  return [...text.matchAll(placeholder)].flatMap(([all, spread, inner = '']) => {
    if (spread === undefined) return pathFindings(inner, path, known);
    return [{ path, value: all, expected: `a placeholder without dots in front: \${...path} is an item of a list` }];
  });
}

function operatorFindings(
  template: Readonly<Record<string, unknown>>,
  operator: (typeof operators)[number],
  path: Path,
  known: readonly string[],
): Finding[] {
  const { [operator]: over, $as, ...others } = template;
  const extra = Object.keys(others).map(name => ({ path: [...path, name], expected: `only ${operator} and $as here` }));
  const list =
    typeof over === 'string'
      ? pathFindings(over, [...path, operator], known)
      : [{ path: [...path, operator], value: over, expected: 'a path such as user.groups' }];
  const missing = $as === undefined ? [{ path: [...path, '$as'], expected: 'a template for each value' }] : [];
  return [...extra, ...list, ...missing, ...findingsIn($as, [...path, '$as'], [...known, ...namesInside[operator]])];
}
