import type { ChangeFault } from '../../base/events/change.ts';
import { readJsonObject } from '../../protocol/json-text.ts';
import { byField, type FieldTexts, faultText } from '../configure/fault-texts.ts';

type Members = Readonly<Record<string, unknown>>;

/** The values of the fields. */
export type UserForm = ReturnType<typeof formOfUser>;

const objects = ['claims', 'access_token_claims'] as const;

/** The form of a user; `entry` has only the members that are configured, without defaults. */
export function formOfUser(sub: string, entry: Members) {
  const text = (name: string) => JSON.stringify(entry[name] ?? {}, null, 2);
  return {
    username: typeof entry.username === 'string' ? entry.username : sub,
    password: typeof entry.password === 'string' ? entry.password : '',
    // text that should be a JSON object
    claims: text('claims'),
    access_token_claims: text('access_token_claims'),
  };
}

export function userFormAsTyped(typed: URLSearchParams) {
  return {
    username: typed.get('username') ?? '',
    password: typed.get('password') ?? '',
    claims: typed.get('claims') ?? '',
    access_token_claims: typed.get('access_token_claims') ?? '',
  };
}

/** The members of a user from the form, and the faults of its JSON by field. */
export function readUserForm(form: UserForm) {
  const read = objects.map(name => [name, readJsonObject(form[name].trim() === '' ? '{}' : form[name], 20)] as const);
  const faults = read.flatMap(([name, found]) =>
    'reason' in found ? [[name, `Line ${found.line}: ${found.reason}.`] as const] : [],
  );
  const values = read.flatMap(([name, found]) => ('value' in found ? [[name, found.value] as const] : []));
  const lines = new Map(read.flatMap(([name, found]) => ('value' in found ? [[name, found.lines] as const] : [])));
  return {
    members: { username: form.username.trim() || null, password: form.password || null, ...Object.fromEntries(values) },
    faults: byField(faults),
    // texts of other faults by field, each with the line of its claim
    place: (found: readonly ChangeFault[]) => placed(found, lines),
  };
}

function placed(faults: readonly ChangeFault[], lines: ReadonlyMap<string, ReadonlyMap<string, number>>): FieldTexts {
  const texts = faults.map(fault => {
    const [, field = '', claim] = /^([a-z_]*)(?:\.([^.[]+)|\["([^"]*)"\])?/.exec(fault.member) ?? [];
    const line = claim === undefined ? undefined : lines.get(field)?.get(claim);
    return [field, line === undefined ? faultText(fault) : `Line ${line}: ${faultText(fault)}`] as const;
  });
  return byField(texts);
}
