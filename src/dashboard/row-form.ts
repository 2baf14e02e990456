import type { Change, ChangeProblem } from '../base/events/change.ts';
import { listing } from '../base/text/words.ts';
import type { FieldTexts } from './form.ts';
import type { PageContext } from './page.ts';

/** A field of the form below a row, as `partials/form-field` shows it. */
export interface RowField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'mono' | 'secret' | 'lines';
  readonly hint?: string;
  readonly value: string;
}

/** The row of a list whose form is open: after a link to it, and after its form was sent. */
export interface OpenRow {
  /** Empty for none. */
  readonly id: string;
  /** Sentences about what was saved. */
  readonly done?: string;
  /** The values that were typed and not saved, and why. */
  readonly typed?: URLSearchParams;
  readonly problems?: FieldTexts;
}

const mostForms = 20;

interface RowParts {
  /** The list: `/dashboard/users`, below the base. */
  readonly list: string;
  readonly base: string;
  /** The filter of the list. */
  readonly query: string;
  readonly opened: OpenRow;
  /** Further rows have a link in the place of a form, so that the page of a long list stays small. */
  readonly most?: number;
}

/** Gives each row of a list the form of its usual members. */
export function withForms<Row extends { readonly href: string }>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  fieldsOf: (row: Row) => readonly RowField[],
  { list, base, query, opened, most = mostForms }: RowParts,
) {
  return rows.map((row, index) => {
    const id = idOf(row);
    const isOpen = id === opened.id;
    const { done = '', typed, problems = {} } = isOpen ? opened : {};
    const fields = isOpen || index < most ? fieldsOf(row) : [];
    const known = new Set(fields.map(({ name }) => name));
    const edit = {
      id,
      isOpen,
      done,
      query,
      action: row.href,
      anchor: anchorOf(id),
      link: base + rowAddress(list, query, id),
      // unique in the page
      prefix: `${index}-`,
      fields: fields.map(({ value, ...field }) => ({
        ...field,
        values: [typed?.get(field.name) ?? value],
        problems: problems[field.name] ?? [],
      })),
      problems: Object.entries(problems).flatMap(([name, texts]) => (known.has(name) ? [] : texts)),
    };
    return { ...row, edit };
  });
}

/** The list with the form of one row open, and that row in view. */
export function rowAddress(list: string, query: string, id: string): string {
  return `${list}?${new URLSearchParams({ ...(query === '' ? {} : { q: query }), open: id })}#${anchorOf(id)}`;
}

function anchorOf(id: string): string {
  return `row-${encodeURIComponent(id)}`;
}

/** The values of the form of a row, as they were typed. */
export interface RowChange {
  readonly members: Readonly<Record<string, unknown>>;
  /** The changed members in words; none for no change. */
  readonly names: readonly string[];
  /** Problems of what was typed, before the change is tried. */
  readonly problems: readonly ChangeProblem[];
}

export const noChange: RowChange = { members: {}, names: [], problems: [] };

/** Makes the change of a row, if there is one. */
export async function saveRow({ control }: Pick<PageContext, 'control'>, read: RowChange, change: Change) {
  const { problems, names } = read;
  if (problems.length > 0) return { ok: false, problems } as const;
  return names.length === 0 ? ({ ok: true, notes: [] } as const) : control.apply(change, 'dashboard');
}

/** `Saved alice: name and roles. …`; `when` says when it takes effect. */
export function savedWords(id: string, names: readonly string[], when: string): string {
  return names.length === 0
    ? `Nothing to save: ${id} is as it was.`
    : `Saved ${id}: ${listing(names, 'and')}. In memory, takes effect with the next ${when}.`;
}
