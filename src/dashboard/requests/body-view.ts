import type { RecordedBody } from '../../base/events/exchange.ts';
import { type ParameterMeaning, parameterMeaning } from '../../record/flows/parameters.ts';

/** A decoded parameter of a form or a query. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
  /** The purpose of the parameter; absent if no specification defines it. */
  readonly meaning?: ParameterMeaning;
}

/** The place of parameters. Their meaning depends on it. */
export interface ParameterContext {
  readonly place: 'request' | 'response';
  readonly endpoint: string;
}

/** A recorded body for reading; `type` is its Content-Type. */
export function bodyView({ text, bytes, cut }: RecordedBody, type: string, context: ParameterContext) {
  const isForm = type.toLowerCase().startsWith('application/x-www-form-urlencoded');
  return {
    // JSON is indented; other text is unchanged. Empty if the parameters show everything.
    text: isForm ? '' : indented(text),
    parameters: isForm ? parametersOf(text, context) : [],
    // `1 234 bytes`
    size: `${grouped(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`,
    cut: cut === undefined ? '' : `Only the first 64 KiB of ${grouped(bytes)} bytes were recorded.`,
  };
}

/** The parameters of a query or form, in their order. */
export function parametersOf(encoded: string, { place, endpoint }: ParameterContext): readonly Parameter[] {
  return [...new URLSearchParams(encoded)].map(([name, value]) => {
    const meaning = parameterMeaning(name, place, endpoint);
    return { name, value, meaning };
  });
}

/** Indents JSON; any other text is unchanged. */
export function indented(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, '\u2009');
}
