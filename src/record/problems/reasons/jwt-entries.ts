import type { Case } from '../case.ts';
import { compareText, compareUrls } from '../compare.ts';
import type { Account } from '../entry.ts';

/** Makes the explanations for JWTs of clients and trusted issuers. `what` names the JWT: `the client_assertion`. */
export function jwtEntries(what: string) {
  return {
    algRefused: {
      title: `The server does not accept the algorithm of ${what}`,
      why: 'The registration fixes the algorithm, because an attacker would choose the weakest.',
    },
    audienceMismatch: {
      title: `${upper(what)} is for a different server`,
      why: 'The `aud` must name this server, so that nobody can use a JWT for a different server here. It is compared character by character: check the port and the slash at the end.',
      compare: ({ error }) =>
        compareUrls(unquoted(error.sent), (error.expected ?? '').split(' or '), { sentLabel: 'aud sent' }),
    },
    expired: {
      title: `${upper(what)} has expired`,
      why: 'The `exp` of the JWT is over. The app sent an old JWT again, or the clock of the machine that signs is slow.',
    },
    notYetValid: {
      title: `${upper(what)} is not valid yet`,
      why: 'The `iat` or `nbf` is in the future. The clock of the machine that signs is fast, or the time is in milliseconds.',
    },
    timeMalformed: {
      title: `A time in ${what} is missing or not a number`,
      why: 'Times must be numbers in seconds since 1970, not text and not milliseconds.',
    },
    malformed: {
      title: `${upper(what)} is not a signed JWT of the right kind`,
    },
    keyUnknown: {
      title: `The signing key of ${what} is not published by {client}`,
      why: 'The `kid` and `alg` of the header must match a key in the `jwks` or at the jwks_uri of the client.',
    },
    signatureWrong: {
      title: `The signature of ${what} does not match`,
      why: 'A different key signed the JWT, or the JWT was changed after it was signed.',
    },
    replayed: {
      title: `${upper(what)} was used twice`,
      why: 'A JWT with a `jti` works only once, so that nobody can replay it.',
    },
  } as const satisfies Record<string, Account>;
}

function upper(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Compares the key in the header with the registered keys; undefined if the client has no `jwks`. */
export function compareKeys(refused: Case) {
  const keys = refused.client?.jwks?.keys ?? [];
  if (keys.length === 0) return undefined;
  const named = keys.map(({ alg, kid }) =>
    [alg === undefined ? '' : `alg ${alg}`, kid === undefined ? 'no kid' : `kid ${kid}`].filter(Boolean).join(', '),
  );
  return compareText(refused.error.sent ?? 'a different key', named, {
    sentLabel: 'The header says',
    expectedLabel: 'Published',
    about: `in the jwks of ${refused.who}`,
  });
}

function unquoted(text = ''): string {
  return text.replace(/^"(.*)"$/, '$1');
}
