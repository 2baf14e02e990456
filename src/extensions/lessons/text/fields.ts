/** A value that the learner pastes into a box of the page, and that the commands below the box have. */
export interface Field {
  /** The commands have `{{name}}`. */
  readonly name: string;
  /** The parameter, member or header that the value has in an address or in an answer. */
  readonly from: string;
  readonly label: string;
}

/** Values that each start of a lesson makes anew: commands have them without a box. */
export const made = ['pkce_verifier', 'pkce_challenge'] as const;

/** Reads `{{code: the code from the address bar}}` or `{{second from refresh_token: …}}`; undefined for any other line. */
export function fieldOf(line: string): Field | undefined {
  const [, name, from = name, label] = /^\{\{([a-z]\w*)(?: from ([\w-]+))?: (.+)\}\}$/.exec(line.trim()) ?? [];
  return name === undefined || from === undefined || label === undefined ? undefined : { name, from, label };
}

/** The names in the placeholders of a text, each once. */
export function namesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))];
}

/** Replaces placeholders that have a value. */
export function filledIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Stands in a command for a field without a value. */
export function blankOf(name: string): string {
  return `YOUR_${name.toUpperCase()}`;
}

/** The value of a field, or why the pasted text has none. */
type ReadField = { readonly value: string } | { readonly problem: string };

const longest = 8000;

/** Takes the value itself, or finds it in a whole address, a whole answer, or one line of either. */
export function readPasted(field: Field, pasted: string): ReadField {
  const { from } = field;
  const text = pasted.trim();
  const copied = findIn(field, text) ?? text.replace(/^["'`]+|["'`,;]+$/g, '').trim();
  // a value from the address bar with the next parameters behind it
  const found = copied.replace(/^([^&:/]+)&[a-z_]+=.*/, '$1');
  if (text === '') return { value: '' };
  const isAddress = /^https?:\/\//i.test(found);
  if (isAddress && !/ur[il]|metadata|address/.test(`${field.name} ${from}`)) {
    const error = findIn({ ...field, from: 'error' }, text);
    return { problem: `This address has no ${from}${error === undefined ? '.' : `: it says error=${error}.`}` };
  }
  if (/[^\x21-\x7e]/.test(found))
    return { problem: `This text has no ${from}. Paste the value alone, without spaces.` };
  if (/["'`$\\!]/.test(found)) return { problem: `No ${from} has one of the characters " ' \` $ \\ !` };
  return found.length > longest ? { problem: `This is longer than ${longest} characters.` } : { value: found };
}

/** The value in an address, in JSON or in a header; undefined if none of these is there. */
export function findIn({ from }: Field, text: string): string | undefined {
  const name = from.replace(/-/g, '\\-');
  const forms = [
    new RegExp(`"${name}"\\s*:\\s*(?:\\[\\s*)?"([^"]+)"`),
    new RegExp(`(?:^|[\\s,])${name}="([^"]+)"`),
    new RegExp(`^${name}:[ \\t]*(\\S+)`, 'im'),
    new RegExp(`(?:^|[?&#])${name}=([^&#\\s]+)`),
  ];
  const found = forms.map(form => form.exec(text)?.[1]).find(value => value !== undefined);
  return found?.includes('%') === true ? decoded(found) : found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
