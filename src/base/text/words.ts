/** `a`, `a or b`, `a, b or c`; empty for no names. */
export function listing(names: readonly string[], conjunction: 'and' | 'or'): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}

/** A clause with its first word as a sentence begins. A name that has a meaning on the wire, such as `aud`, keeps its case. */
export function capitalised(clause: string): string {
  return clause.replace(beginning, word => word.slice(0, 1).toUpperCase() + word.slice(1));
}

/** First words that are not names: clauses and descriptions on the wire begin in lower case. */
const beginning =
  /^(?:the|this|a|an|no|none|not|there|two|only|each|exactly|too|unsigned|encrypted|expired|polled)(?![\w-])/;

/** The first characters of a text; an ellipsis stands for the rest. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

const most = 20;

/** The first twenty names, and the number of the others: `a, b and 3 more`. */
export function firstOf(names: readonly string[]): string {
  const left = names.length - most;
  return names.slice(0, most).join(', ') + (left > 0 ? ` and ${left} more` : '');
}
