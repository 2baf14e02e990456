import type { ChangeFault } from '../../base/events/change.ts';

/** Texts about what was typed, by the field below which they are shown. */
export type FieldTexts = Readonly<Record<string, readonly string[]>>;

export function byField(texts: readonly (readonly [field: string, text: string])[]): FieldTexts {
  const found: Record<string, readonly string[]> = {};
  for (const [field, text] of texts) found[field] = [...(found[field] ?? []), text];
  return found;
}

/** A fault as a sentence. */
export function faultText({ sent, expected, nearest }: ChangeFault): string {
  const found = sent === undefined ? '' : `${sent} was sent, `;
  return `${found}expected ${expected}${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}.`;
}
