import type { ChangeFault } from '../../events/change.ts';
import { readJsonObject } from '../../oauth/json-text.ts';
import { faultText } from '../clients/client-form.ts';

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

/** The members of a user from the form, or the faults of its JSON. */
export interface ReadUser {
  readonly members: Members;
  /** Texts, by field. */
  readonly faults: Readonly<Record<string, readonly string[]>>;
  /** Texts of faults by field, each with the line of its claim. */
  place(faults: readonly ChangeFault[]): Readonly<Record<string, readonly string[]>>;
}

export function readUserForm(form: UserForm): ReadUser {
  const read = objects.map(name => [name, readJsonObject(form[name].trim() === '' ? '{}' : form[name], 20)] as const);
  const faults = read.flatMap(([name, found]) =>
    'reason' in found ? [[name, [`Line ${found.line}: ${found.reason}.`]] as const] : [],
  );
  const values = read.flatMap(([name, found]) => ('value' in found ? [[name, found.value] as const] : []));
  const lines = new Map(read.flatMap(([name, found]) => ('value' in found ? [[name, found.lines] as const] : [])));
  return {
    members: { username: form.username.trim() || null, password: form.password || null, ...Object.fromEntries(values) },
    faults: Object.fromEntries(faults),
    place: found => placed(found, lines),
  };
}

function placed(
  faults: readonly ChangeFault[],
  lines: ReadonlyMap<string, ReadonlyMap<string, number>>,
): Readonly<Record<string, readonly string[]>> {
  const texts: Record<string, readonly string[]> = {};
  for (const fault of faults) {
    const [, field = '', claim] = /^([a-z_]*)(?:\.([^.[]+)|\["([^"]*)"\])?/.exec(fault.member) ?? [];
    const line = claim === undefined ? undefined : lines.get(field)?.get(claim);
    const text = line === undefined ? faultText(fault) : `Line ${line}: ${faultText(fault)}`;
    texts[field] = [...(texts[field] ?? []), text];
  }
  return texts;
}
