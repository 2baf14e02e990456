import * as v from 'valibot';
import { jsonIn } from '../../../base/text/record.ts';
import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import { described, type OutputOf, text } from '../../../sandbox/control/described.ts';
import { attributeOf } from './html-attribute.ts';

const address = v.pipe(
  v.string(),
  v.check(url => /^https?:/.test(url) && URL.canParse(url), 'an http or https address'),
);

/** A sign-in that somebody did once, as a document. It never has a password. */
export const signInRecord = v.strictObject({
  format: v.literal('grantbox-sign-in'),
  version: v.literal(1),
  url: described(address, 'The address that begins the sign-in'),
  forms: described(
    v.array(
      v.strictObject({
        page: text('The page of the sandbox, such as `/login` or `/consent`'),
        fields: described(v.record(v.string(), v.string()), 'The fields that were sent; no password'),
      }),
    ),
    'The forms that were sent at the sandbox, in their order',
  ),
  signedIn: described(v.pipe(v.string(), v.minLength(1)), 'A text that only a page for somebody signed in has'),
});

export type SignInRecord = OutputOf<typeof signInRecord>;
type RecordedForm = SignInRecord['forms'][number];

/** @throws TypeError for a text that is no record */
export function signInRecordIn(json: string): SignInRecord {
  const read = v.safeParse(signInRecord, jsonIn(json));
  if (read.success) return read.output;
  const [issue] = read.issues;
  const at = v.getDotPath(issue);
  throw new TypeError(`this is no recorded sign-in: ${at === null ? '' : `${at}: `}${issue.message}`);
}

/** The pages of the sandbox whose forms a sign-in sends. */
const ownPage = /\/(?:login|consent)(?:\/[\w-]+)?$/;

/** Fields that are of one visit, or secret. */
const leftOut = ['sid', 'password'];

/** The forms of the newest sign-in among these requests. A form that the sandbox answered with a page again is none. */
export function recordedForms(requests: readonly RecordedRequest[]): SignInRecord['forms'] {
  const sent = requests.filter(
    ({ event: { method, status, path } }) => method === 'POST' && status >= 300 && status < 400 && ownPage.test(path),
  );
  const newest = sent.at(-1)?.query.toString(); // the authorization request, which is in the address of each of its forms
  return sent
    .filter(({ query }) => query.toString() === newest)
    .map(({ event, form }) => ({
      page: pageOf(event.path),
      fields: Object.fromEntries([...form].filter(([name]) => !leftOut.includes(name))),
    }));
}

function pageOf(path: string): string {
  return ownPage.exec(path)?.[0] ?? '';
}

/** The user of a form that had a password, whom the sandbox signs in without a click. */
export function userIn({ forms }: SignInRecord): string | undefined {
  return forms.map(({ fields }) => fields.username).find(username => username !== undefined);
}

/** A page of the sandbox has a form that was not recorded. */
export class RecordMisfit extends Error {}

/** The form of a page as it is sent. */
interface FilledForm {
  readonly to: string;
  readonly form: URLSearchParams;
}

/** Fills in the forms of one sign-in. */
export type FillForm = (html: string) => FilledForm | undefined;

/**
 * Makes a function that fills in the form of a page of the sandbox as it was recorded, with the hidden fields of the page that
 * came. An app that begins a second sign-in gets the forms again. Undefined: the page has no form of a sign-in.
 * @throws RecordMisfit
 */
export function replayOf({ forms }: Pick<SignInRecord, 'forms'>): FillForm {
  const queue = [...forms];
  return html => {
    const shown = formsIn(html);
    for (const [index, recorded] of queue.entries()) {
      const found = shown.find(each => fits(each, recorded));
      if (found === undefined) continue;
      queue.push(...queue.splice(index, 1));
      return { to: found.action, form: new URLSearchParams({ ...found.hidden, ...recorded.fields }) };
    }
    const [other] = shown;
    if (other === undefined) return undefined;
    const recorded = forms.map(({ page, fields }) => `${page} with ${Object.keys(fields).join(', ')}`);
    throw new RecordMisfit(
      `The record does not fit any more: the page ${other.page} has none of the forms that were recorded (${recorded.join('; ') || 'none'}). Record the sign-in again.`,
    );
  };
}

interface ShownForm {
  readonly page: string;
  readonly action: string;
  readonly names: ReadonlySet<string>;
  /** Fields that a person does not choose the value of; hidden inputs and buttons, with all values that there are. */
  readonly fixed: ReadonlyMap<string, readonly string[]>;
  readonly hidden: Readonly<Record<string, string>>;
}

function fits({ page, names, fixed }: ShownForm, recorded: RecordedForm): boolean {
  if (page !== recorded.page) return false;
  return Object.entries(recorded.fields).every(
    ([name, value]) => names.has(name) && (fixed.get(name)?.includes(value) ?? true),
  );
}

function formsIn(html: string): readonly ShownForm[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gis)].flatMap(([, tag = '', inside = '']) => {
    const action = attributeOf(tag, 'action') ?? '';
    const page = pageOf(action.replace(/[?#].*/s, ''));
    return page === '' ? [] : [{ page, action, ...fieldsIn(inside) }];
  });
}

function fieldsIn(html: string): Pick<ShownForm, 'names' | 'fixed' | 'hidden'> {
  const names = new Set<string>();
  const fixed = new Map<string, readonly string[]>();
  const hidden: Record<string, string> = {};
  for (const [, element = '', tag = ''] of html.matchAll(/<(input|select|textarea|button)\b([^>]*)>/gi)) {
    const name = attributeOf(tag, 'name');
    if (name === undefined) continue;
    names.add(name);
    const value = attributeOf(tag, 'value') ?? '';
    const isHidden = attributeOf(tag, 'type') === 'hidden';
    if (isHidden) hidden[name] = value;
    if (isHidden || element.toLowerCase() === 'button') fixed.set(name, [...(fixed.get(name) ?? []), value]);
  }
  return { names, fixed, hidden };
}
