/** A string of JavaScript and TypeScript in single quotes. Any text is escaped, and cannot end a script element. */
export function js(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('<', '\\x3C').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** A string of Python, C# and JSON. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** An attribute of JSX. */
export function jsx(text: string): string {
  return /^[^"&{}<>\\\n\r]*$/.test(text) ? `"${text}"` : `{${js(text)}}`;
}

/** A value of YAML; quoted only if it could mean something else. */
export function yaml(text: string): string {
  const isPlain =
    /^[A-Za-z][\w./@-]*(:\/\/[\w./@:-]*[\w/])?$/.test(text) && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text);
  return isPlain ? text : quoted(text);
}

/** Text inside a comment or a header, which ends with its line. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** A word of a POSIX shell, always in quotes: none of it is expanded. */
export function sh(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Text inside a string or a comment of any language; characters that could end it become underscores. */
export function word(text: string): string {
  return text.replace(/[^\w.@ -]/g, '_');
}
