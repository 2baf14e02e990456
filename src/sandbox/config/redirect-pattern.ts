import { redirectUriProblem } from './uri.ts';

/** The beginning of a URI with a `*` in the first label of its host: what is before and after the `*`, and the other labels. */
const starredHost = /^(https?:\/\/[a-z0-9-]*)\*([a-z0-9-]*)\.([^/:?#*]*)(?=[:/])/i;

/** Description of a valid pattern of redirect URIs; undefined where this one is valid. */
export function redirectPatternProblem(pattern: string): string | undefined {
  if (!pattern.includes('*')) return 'a pattern with *: an address without one belongs to redirect_uris';
  const others = starredHost.exec(pattern)?.[3];
  if (others !== undefined && others !== 'localhost' && !/[^.]\.[^.]/.test(others))
    return 'at least two labels after the one with the *, such as https://app-*.example.com/callback';
  const example = pattern.replace(starredHost, '$1label$2.$3').replace(/\*$/, '');
  if (example.includes('*'))
    return 'one * in the first label of the host (https://*.example.com/cb, https://app-*.example.com/cb), or a * at the end';
  if (pattern.endsWith('*') && !/^(https?:\/\/[^/?#*]+\/|(?!https?:)[a-z][a-z0-9+.-]*:)/i.test(example))
    return 'a slash between the host and the * at the end: without it the * would cover other hosts';
  const problem = redirectUriProblem(example);
  if (problem !== undefined) return problem;
  const { href } = new URL(example);
  return href === example ? undefined : `the form that browsers send: ${pattern.endsWith('*') ? `${href}*` : href}`;
}
