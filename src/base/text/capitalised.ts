/** A clause with its first word as a sentence begins. A name that has a meaning on the wire, such as `aud`, keeps its case. */
export function capitalised(clause: string): string {
  return clause.replace(beginning, word => word.slice(0, 1).toUpperCase() + word.slice(1));
}

/** First words that are not names: clauses and descriptions on the wire begin in lower case. */
const beginning =
  /^(?:the|this|a|an|no|none|not|there|two|only|each|exactly|too|unsigned|encrypted|expired|polled)(?![\w-])/;
