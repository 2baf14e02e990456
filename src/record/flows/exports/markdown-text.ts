/** Escapes untrusted text, so that nothing in it is Markdown or HTML. */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|!&~]/g, '\\$&');
}

/** A code block whose fence is longer than any backticks in the text; `language` selects the highlighting. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(run => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A value as inline code. */
export function asCode(text: string): string {
  return `\`${text.replace(/[`\s]+/g, ' ')}\``;
}
