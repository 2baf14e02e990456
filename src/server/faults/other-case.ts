/** `bEARER` for `Bearer`. */
export function otherCase(text: string): string {
  return text.replace(/[a-z]/gi, letter => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
}
