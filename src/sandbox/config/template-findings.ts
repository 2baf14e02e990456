import { nearestName } from '../../base/text/nearest.ts';
import { isRecord } from '../../base/text/record.ts';
import { listing } from '../../base/text/words.ts';
import { conditionParts, placeholder } from '../../protocol/dialects/claim-rules.ts';
import type { Finding, Path } from './problem.ts';

/** The first names of paths. */
const roots = ['user', 'client', 'request', 'grant', 'scopes', 'claims'];

/** `user.email`, `user.address.country`, `claims[https://shop.example/roles]`. */
const pathForm = /^[^\s.[\]{}!]+(\.[^\s.[\]{}]+|\[[^\]]+\])*$/;

const operators = ['$each', '$map'] as const;
/** The first names of paths that `$as` has besides the others. */
const namesInside = { $each: ['key', 'value'], $map: ['value', 'outer'] };

/** The problems of a path in a condition or in a placeholder. Inside `$as` there are more names. */
export function pathFindings(written: string, path: Path, known: readonly string[] = roots): Finding[] {
  if (!pathForm.test(written)) {
    return [{ path, value: written, expected: 'a path such as user.email or claims[https://shop.example/roles]' }];
  }
  const [root = ''] = written.split(/[.[]/, 1);
  if (known.includes(root)) return [];
  const expected = `a path that begins with ${listing(known, 'or')}`;
  return [{ path, value: written, expected, nearest: nearestName(root, known) }];
}

/** The problems of a condition in `when`. */
export function conditionFindings(written: string, place: Path): Finding[] {
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
export function templateFindings(claims: Readonly<Record<string, unknown>>): Finding[] {
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
