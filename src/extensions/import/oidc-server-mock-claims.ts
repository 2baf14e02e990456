import { addTo } from '../../base/text/add-to.ts';
import type { JsonValue } from '../../sandbox/config/json.ts';
import type { ClaimValues } from './drafts.ts';
import { at, type ExportPart, recordsIn, tell, textIn, textsIn, valueIn } from './members.ts';
import { readJson } from './read-json.ts';

/** Claims of `{ Type, Value, ValueType }`; one that is there more than once is a list. */
export function typedClaims(found: ExportPart): ClaimValues {
  const claims = new Map<string, JsonValue[]>();
  for (const each of recordsIn(found)) {
    const [name, value] = [textIn(at(each, 'Type')), claimValue(each)];
    if (name !== undefined && value !== undefined) addTo(claims, name, value);
  }
  return Object.fromEntries([...claims].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/** Claims that are booleans in OpenID Connect (OIDC Core §5.1), also where the export has them as text. */
const booleans = ['email_verified', 'phone_number_verified'];

function claimValue(found: ExportPart): JsonValue | undefined {
  const value = valueIn(at(found, 'Value'));
  const type = textIn(at(found, 'ValueType'))?.toLowerCase().replace(/^.*#/, '');
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  const text = textIn(at(found, 'Value'));
  const isBoolean = type === 'boolean' || booleans.includes(textIn(at(found, 'Type')) ?? '');
  if (text === undefined || type === undefined || type === 'string') return isBoolean ? asBoolean(text) : text;
  if (isBoolean) return asBoolean(text);
  // Newtonsoft's reader, which the mock uses, takes single quotes, too
  const read = readJson(type === 'json' ? text.replaceAll("'", '"') : text);
  if ('value' in read) return read.value as JsonValue; // parsed JSON
  tell(found, `the value is text here, because it is not of the type ${type.slice(0, 40)}`);
  return text;
}

function asBoolean(text: string | undefined): JsonValue | undefined {
  return text === undefined || !/^(true|false)$/i.test(text) ? text : text.toLowerCase() === 'true';
}

/** The API of each scope, which is the audience of tokens with it. */
export function audiencesOf(apis: ExportPart): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const api of recordsIn(apis)) {
    const name = textIn(at(api, 'Name'));
    if (name !== undefined) for (const scope of [...textsIn(at(api, 'Scopes')), name]) addTo(found, scope, name);
  }
  return found;
}
