const ending = ' in place of a client_id';

/** The text for `sent` in an error: `a device code in place of a client_id`. */
export function inPlaceOfClientId(words: string): string {
  return words + ending;
}

/** True if `sent` of an error is such a text, so that the `client_id` of its request is a secret. */
export function isInPlaceOfClientId(sent: string | undefined): boolean {
  return sent?.endsWith(ending) === true;
}
