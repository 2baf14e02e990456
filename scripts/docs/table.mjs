/** A Markdown table: a pipe in a cell is escaped, a line break becomes a space. */
export function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.map(cell).join(' | ')} |`).join('\n');
}

function cell(text) {
  return String(text).replaceAll('|', '\\|').replaceAll('\n', ' ').trim();
}

export const code = text => `\`${text}\``;

/** The kinds of values that a JSON Schema allows, in a few words. `name` is the member: it tells a URL from other text. */
export function valuesOf(schema, name = '') {
  const [one, several] = schema.anyOf ?? [];
  if (one?.enum !== undefined && several?.type === 'array') return `${valuesOf(one, name)}, or a list of these`;
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(each => valuesOf(each, name)))].join(' or ');
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return namesOf(schema.enum);
  if (schema.type === 'array') return `list of ${plural(valuesOf(schema.items ?? {}, name))}`;
  if (schema.type === 'boolean') return '`true`, `false`';
  if (schema.type === 'integer') return 'whole number';
  if (schema.type === 'string') return /_uris?$/.test(name) ? 'URL' : 'text';
  return schema.type ?? (name === 'seed' ? 'object' : 'JSON object');
}

/** Two long lists that many members share have names of their own; the documents write them out once. */
function namesOf(values) {
  if (values.includes('unavailable')) return '[fault](faults.md)';
  if (values.includes('HS256'))
    return '[signing algorithm](clients-and-users.md#algorithms), `HS256`, `HS384` or `HS512`';
  if (values.includes('RS256')) return '[signing algorithm](clients-and-users.md#algorithms)';
  return values.map(code).join(', ');
}

function plural(values) {
  if (values === 'text') return 'texts';
  return /^(URL|whole number|JSON object|object|\[.*\)|number)$/.test(values)
    ? values.replace(/(\]\(|$)/, 's$1')
    : values;
}
