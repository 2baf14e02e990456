import { js } from '../../../dashboard/snippets/snippets.ts';
import { redacted } from '../../../record/flows/redaction-text.ts';
import type { FileRequest } from '../session-schema.ts';

/** Writes a value as an expression; the address of the recorded issuer becomes that of the issuer of the test. */
export function literalFor(issuer: string): (text: string) => string {
  return text => {
    const parts = issuer === '' ? [text] : text.split(issuer);
    const written = parts.flatMap((part, index) => [...(index === 0 ? [] : ['issuer.issuer']), js(part)]);
    return written.length === 1 ? js(text) : written.filter(part => part !== "''").join(' + ');
  };
}

/** A code or token that a step of the test gets, as an expression. */
interface Made {
  readonly tokenId: string;
  /** The value in the file, redacted. */
  readonly token: string;
  readonly type: 'code' | 'access' | 'refresh' | 'id';
  readonly expression: string;
}

/** Knows which variable of the test has the code or token that a request sent. */
export function createMadeValues() {
  const made: Made[] = [];
  return {
    add: (value: Made) => void made.push(value),
    /** By its claims, which a redacted JWT keeps; by the events of its request; or else the newest of its type. */
    of(type: Made['type'], sent: string, request: FileRequest): string | undefined {
      const alike = made.filter(each => each.type === type);
      const ids = idsIn(request);
      const byValue = sent === redacted ? undefined : alike.findLast(({ token }) => token === sent);
      return (byValue ?? alike.findLast(({ tokenId }) => ids.has(tokenId)) ?? alike.at(-1))?.expression;
    },
  };
}

export type MadeValues = ReturnType<typeof createMadeValues>;

/** The codes and tokens that the events of a request name as sent. */
function idsIn({ events }: FileRequest): ReadonlySet<string> {
  const ids = events.flatMap(event => {
    if (event === undefined) return [];
    if (event.type === 'token.issued') return event.parentTokenId ?? [];
    if (event.type === 'token.used') return event.tokenId;
    return event.type === 'error.returned' || event.type === 'token.introspected' ? (event.about ?? []) : [];
  });
  return new Set(ids);
}
