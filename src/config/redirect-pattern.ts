import { redirectUriFault } from './uri.ts';

/** Description of a valid pattern of redirect URIs; undefined where this one is valid. */
export function redirectPatternFault(pattern: string): string | undefined {
  if (!pattern.includes('*')) return 'a pattern with *: an address without one belongs to redirect_uris';
  if (/^https?:\/\/\*\.[^./]+\.?(:\d+)?\//i.test(pattern) && !/^https?:\/\/\*\.localhost[:/]/.test(pattern))
    return 'at least two labels after *., such as https://*.preview.example.com/callback';
  const example = pattern.replace(/^(https?:\/\/)\*\./, '$1label.').replace(/\*$/, '');
  if (example.includes('*')) return 'a * for the first label of the host (https://*.example.com/cb), or at the end';
  if (pattern.endsWith('*') && !/^(https?:\/\/[^/?#*]+\/|(?!https?:)[a-z][a-z0-9+.-]*:)/i.test(example))
    return 'a slash between the host and the * at the end: without it the * would cover other hosts';
  const fault = redirectUriFault(example);
  if (fault !== undefined) return fault;
  const { href } = new URL(example);
  return href === example ? undefined : `the form that browsers send: ${pattern.endsWith('*') ? `${href}*` : href}`;
}
