import { decodeJwt } from 'jose';

/** What two issuers cannot have in common is left out of a value: their address, real time, and what is random. */
export function unlike(value: unknown, issuer: string): unknown {
  if (Array.isArray(value)) return value.map(each => unlike(each, issuer));
  if (typeof value === 'string') return unlikeText(value, issuer);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([name, member]) =>
          member !== undefined && !['wall', 'offset', 'by', 'createdAt', 'armedAt', 'kid'].includes(name),
      )
      .map(([name, member]) => [name, ['jti', 'sid', 'iss'].includes(name) ? name : unlike(member, issuer)]),
  );
}

function unlikeText(text: string, issuer: string): unknown {
  if (/^eyJ[\w-]+\.eyJ/.test(text)) return unlike(decodeJwt(text), issuer);
  return text
    .replaceAll(issuer, '{issuer}')
    .replaceAll(encodeURIComponent(issuer), '{issuer}')
    .replace(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g, '{token}')
    .replace(/([/!])i\1(here|there)/g, '$1i$1{id}')
    .replace(/\b(tok|flt|req|flow|aut|ses)_\w+/g, '$1_')
    .replace(/[\w-]{20,}/g, '{random}');
}
