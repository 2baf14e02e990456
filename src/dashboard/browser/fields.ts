import { isRecord } from '../../base/text/record.ts';

/**
 * Shows a table of names and values above a JSON field, which remains as the other view. Strings are edited as text, all other
 * values as JSON. The form sends the JSON field, so a value that is not edited keeps its exact JSON.
 */
export function startClaimsTables(): void {
  for (const field of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-claims-table]')) {
    if (!field.readOnly) addTable(field);
  }
}

function addTable(field: HTMLTextAreaElement): void {
  const list = document.createElement('div');
  list.className = 'claims-table';
  list.setAttribute('role', 'group');
  list.setAttribute('aria-label', `${field.labels[0]?.textContent ?? ''}: names and values`);
  field.before(list);
  const show = () => {
    const claims = readObject(field.value);
    list.hidden = claims === undefined; // JSON that is invalid, or that the table would change, can only be edited as JSON
    if (claims !== undefined) list.replaceChildren(...rowsOf(claims));
  };
  let isOurs = false;
  list.addEventListener('input', () => {
    field.value = JSON.stringify(claimsIn(list), null, 2);
    isOurs = true;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    isOurs = false;
    const [name, value] = list.lastElementChild?.querySelectorAll('input') ?? [];
    if (!name?.value || !value) return;
    name.setAttribute('aria-label', 'Added claim');
    value.setAttribute('aria-label', 'Value of the added claim');
    list.append(emptyRow());
  });
  field.addEventListener('input', () => isOurs || show());
  show();
}

function rowsOf(claims: Readonly<Record<string, unknown>>): readonly HTMLElement[] {
  const rows = Object.entries(claims).map(([name, value]) => {
    const text = typeof value === 'string' && parsed(value) === value ? value : JSON.stringify(value);
    return rowOf(input(name, `Name of ${name}`), input(text, `Value of ${name}`));
  });
  return [...rows, emptyRow()];
}

function emptyRow(): HTMLElement {
  return rowOf(input('', 'New claim'), input('', 'Value of the new claim'));
}

function rowOf(...inputs: readonly HTMLElement[]): HTMLElement {
  const row = document.createElement('div');
  row.append(...inputs);
  return row;
}

function input(value: string, label: string): HTMLInputElement {
  const made = document.createElement('input');
  Object.assign(made, { type: 'text', className: 'mono', value, autocomplete: 'off', spellcheck: false });
  made.setAttribute('aria-label', label);
  if (label === 'New claim') made.placeholder = label;
  return made;
}

function claimsIn(list: HTMLElement): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...list.children].flatMap(row => {
      const [name, value] = [...row.querySelectorAll('input')].map(each => each.value);
      return name ? [[name, parsed(value ?? '')] as const] : [];
    }),
  );
}

/** Parses JSON that would be written back unchanged; all else is text, such as `1.0` and numbers that are too large. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const compact = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    return JSON.stringify(value) === compact ? value : text;
  } catch {
    return text;
  }
}

function readObject(json: string): Readonly<Record<string, unknown>> | undefined {
  const value = json.trim() === '' ? {} : parsed(json);
  return isRecord(value) ? value : undefined;
}

/** Shows only the fields of *Arm a fault* that the chosen fault has. A field with a value or an error stays visible. */
export function startFaultFields(): void {
  const choice = document.querySelector<HTMLSelectElement>('#f-fault');
  if (choice === null) return;
  const show = () => {
    const fields = choice.selectedOptions[0]?.dataset.fields?.split(' ') ?? [];
    for (const each of document.querySelectorAll<HTMLElement>('[data-of-faults]')) {
      const field = each.querySelector<HTMLInputElement | HTMLSelectElement>('input, select');
      const isInUse = field !== null && (field.value !== '' || field.ariaInvalid === 'true');
      each.hidden = !isInUse && !fields.includes(each.dataset.ofFaults ?? '');
    }
  };
  choice.addEventListener('change', show);
  show();
}

/** Makes the suggestions of a filter complete the last term and keep the terms before it. */
export function startFilter(): void {
  const field = document.querySelector<HTMLInputElement>('input[list="filter-terms"]');
  const options = [...(field?.list?.querySelectorAll('option') ?? [])];
  const terms = options.map(({ value }) => value);
  field?.addEventListener('input', () => {
    const before = /^(?:[^\s"]|"[^"]*"|\s)*\s|/.exec(field.value)?.[0] ?? '';
    const sign = /^[-!]/.exec(field.value.slice(before.length))?.[0] ?? '';
    options.forEach((option, index) => {
      option.value = `${before}${sign}${terms[index]}`;
    });
  });
}
