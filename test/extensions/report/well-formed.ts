/** An element of an XML document. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** Its own text, entities read. */
  readonly text: string;
}

const nameForm = '[A-Za-z_][\\w.-]*';
const attributeForm = new RegExp(`\\s+(${nameForm})="([^"<]*)"`, 'y');
const openForm = new RegExp(`<(${nameForm})`, 'y');
const entityForm = /&(?:(amp|lt|gt|quot|apos)|#(\d+));|&/g;
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
// XML 1.0 §2.2, and what it calls discouraged
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u;

/** Reads XML as strictly as XML 1.0 wants it, without what a report never has: DTD, CDATA, comments, namespaces. */
export function readXml(xml: string): Element {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>';
  if (!xml.startsWith(declaration)) throw new Error('no XML declaration');
  if (forbidden.test(xml)) throw new Error('a character that no XML document may have');
  const reader = { xml: xml.trimEnd(), at: declaration.length };
  reader.at += /^\s*/.exec(reader.xml.slice(reader.at))?.[0].length ?? 0;
  const root = readElement(reader);
  if (reader.at !== reader.xml.length) throw new Error(`something after the root element, at ${reader.at}`);
  return root;
}

interface Reader {
  readonly xml: string;
  at: number;
}

function readElement(reader: Reader): Element {
  const [, name = ''] = match(reader, openForm) ?? fail(reader, 'an element');
  const attributes: Record<string, string> = {};
  for (let found = match(reader, attributeForm); found !== undefined; found = match(reader, attributeForm)) {
    const [, key = '', value = ''] = found;
    if (key in attributes) fail(reader, `one attribute ${key}`);
    attributes[key] = read(value);
  }
  if (skip(reader, '/>')) return { name, attributes, children: [], text: '' };
  if (!skip(reader, '>')) fail(reader, '>');
  const children: Element[] = [];
  let text = '';
  while (!reader.xml.startsWith('</', reader.at)) {
    const end = reader.xml.indexOf('<', reader.at);
    if (end === -1) fail(reader, `</${name}>`);
    const part = reader.xml.slice(reader.at, end);
    if (part.includes(']]>')) fail(reader, 'no ]]> in text');
    text += read(part);
    reader.at = end;
    if (!reader.xml.startsWith('</', reader.at)) children.push(readElement(reader));
  }
  if (!skip(reader, `</${name}>`)) fail(reader, `</${name}>`);
  return { name, attributes, children, text };
}

function match(reader: Reader, form: RegExp): RegExpExecArray | undefined {
  form.lastIndex = reader.at;
  const found = form.exec(reader.xml) ?? undefined;
  if (found !== undefined) reader.at += found[0].length;
  return found;
}

function skip(reader: Reader, text: string): boolean {
  if (!reader.xml.startsWith(text, reader.at)) return false;
  reader.at += text.length;
  return true;
}

function read(text: string): string {
  return text.replace(entityForm, (whole, name?: string, number?: string) => {
    if (name !== undefined) return named[name] ?? '';
    if (number !== undefined) return String.fromCodePoint(Number(number));
    throw new Error(`a bare ${whole}`);
  });
}

function fail({ xml, at }: Reader, expected: string): never {
  throw new Error(`expected ${expected} at ${at}: ${xml.slice(at, at + 60)}`);
}
