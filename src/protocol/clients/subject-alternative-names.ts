/** Kinds of alternative names that can identify a client (RFC 8705 §2.1.2). */
export type AlternativeNameKind = 'dns' | 'uri' | 'ip' | 'email';

const kinds: Readonly<Record<string, AlternativeNameKind>> = {
  DNS: 'dns',
  URI: 'uri',
  'IP Address': 'ip',
  email: 'email',
};

/**
 * The alternative names of a certificate, parsed from Node's one line of text. Node quotes text that could be read as
 * another name. A line that cannot be parsed to its end counts as empty.
 */
export function alternativeNames(
  line = '',
): readonly (readonly [kind: AlternativeNameKind | undefined, name: string])[] {
  const entry = /([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^",]*)(?:, |$)/y;
  const names: (readonly [AlternativeNameKind | undefined, string])[] = [];
  while (entry.lastIndex < line.length) {
    const match = entry.exec(line);
    if (match === null) return [];
    const [, label = '', value = ''] = match;
    names.push([kinds[label], value.startsWith('"') ? String(JSON.parse(value)) : value]);
  }
  return names;
}

/** True if two names are equal: IP addresses by value, hosts and mail domains in any case. */
export function sameAlternativeName(kind: AlternativeNameKind, registered: string, presented: string): boolean {
  if (kind === 'uri') return registered === presented;
  if (kind === 'ip') return canonicalAddress(registered) === canonicalAddress(presented);
  if (kind === 'dns') return registered.toLowerCase() === presented.toLowerCase();
  return lowerDomain(registered) === lowerDomain(presented);
}

function canonicalAddress(address: string): string {
  const url = `http://${address.includes(':') ? `[${address}]` : address}`;
  return URL.canParse(url) ? new URL(url).hostname : address;
}

/** RFC 5280 §4.2.1.6: case counts in the part before the @. */
function lowerDomain(mailbox: string): string {
  const at = mailbox.lastIndexOf('@') + 1;
  return mailbox.slice(0, at) + mailbox.slice(at).toLowerCase();
}
