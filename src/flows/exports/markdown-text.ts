/** Text in which nothing is a command of Markdown or HTML: values of strangers are in it. */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|!&~]/g, '\\$&');
}

/** A block that no backticks in it can end; `language` is for those who colour it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(run => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A value in a line, as code. */
export function asCode(text: string): string {
  return `\`${text.replace(/[`\s]+/g, ' ')}\``;
}
