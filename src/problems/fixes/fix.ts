/** How a refusal is repaired, for the developer of the client. */
export interface Fix {
  /** One or two sentences: what to do. */
  readonly fix: string;
  /** The rule behind it: `RFC 7636 §4.6`. Empty where no standard is involved. */
  readonly rfc: string;
}
