/** A person reads lines of at most so many characters. */
const longest = 200;

/**
 * A Markdown table: a pipe in a cell is escaped, a line break becomes a space, a cell without text gets a dash. A list below it has what
 * makes a line too long; `where` says so in the table.
 */
export function table(head, rows, where = 'below') {
  const notes = [];
  const lines = rows.map(cells => line(shortened(cells.map(cell), notes, where)));
  const text = [line(head), line(head.map(() => '---')), ...lines].join('\n');
  return notes.length === 0 ? text : `${text}\n\n${notes.map(wrapped).join('\n')}`;
}

function cell(text) {
  const written = String(text).replaceAll('|', '\\|').replaceAll('\n', ' ').trim();
  return written === '' ? '–' : written;
}

function line(cells) {
  return `| ${cells.join(' | ')} |`;
}

/** The cells of a line that can be read. Names of values go to a note first, then sentences from the end. */
function shortened([name, ...others], notes, where) {
  const cells = [...others];
  const told = [];
  const isLong = () => line([name, ...cells]).length > longest;
  const values = cells.findIndex(text => /^(list of )?(`[^`]+`, ){4}/.test(text));
  if (isLong() && values >= 0) {
    told.push(`${cells[values]}.`);
    cells[values] = cells[values].startsWith('list') ? `list, ${where}` : where;
  }
  const rest = [];
  const words = cells.reduce((most, text, index) => (text.length > cells[most].length ? index : most), 0);
  while (isLong()) {
    const end = cells[words][told.length > 0 ? 'indexOf' : 'lastIndexOf']('. ') + 1;
    if (end === 0) throw new Error(`A line of a table is too long: ${line([name, ...cells])}`);
    rest.unshift(cells[words].slice(end + 1));
    cells[words] = cells[words].slice(0, end);
  }
  if (told.length + rest.length > 0) notes.push(`- ${name}: ${[...told, ...rest].join(' ')}`);
  return [name, ...cells];
}

/** Lines of 140 characters, those of an item of a list with their indent. A code span is not broken. */
export function wrapped(item) {
  const words = item.replaceAll(/`[^`]*`/g, span => span.replaceAll(' ', '\0')).split(' ');
  const indent = item.startsWith('- ') ? '  ' : '';
  const lines = [''];
  for (const word of words) {
    const now = lines.at(-1);
    if (now === '') lines[lines.length - 1] = word;
    else if (now.length + word.length < 140) lines[lines.length - 1] = `${now} ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines.join('\n').replaceAll('\0', ' ');
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
  if (values.includes('alg_none')) return '[defect](faults.md#tokens)';
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
