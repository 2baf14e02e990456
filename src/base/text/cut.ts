/** The first characters of a text; an ellipsis stands for the rest. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
