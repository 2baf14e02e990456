import type { Case } from '../case.ts';
import { compareText, compareUrls } from '../compare.ts';
import type { Account } from '../entry.ts';

/** What is wrong with a JWT that a client, or somebody it trusts, has signed; `what` is `the client_assertion`. */
export function jwtEntries(what: string) {
  return {
    algRefused: {
      title: `${upper(what)} is signed with an algorithm that is not taken`,
      why: 'The algorithm is agreed on beforehand, because whoever may choose one chooses the weakest.',
    },
    audienceMismatch: {
      title: `${upper(what)} is for somebody else`,
      why: 'aud has to name this server, so that nobody can take a JWT that was made for another one and use it here. It is compared character by character: mind the port, and the slash at the end.',
      compare: ({ error }) =>
        compareUrls(unquoted(error.sent), (error.expected ?? '').split(' or '), { sentLabel: 'aud sent' }),
    },
    expired: {
      title: `${upper(what)} has expired`,
      why: 'It is good only until exp. Either it is kept and sent again, or the clock of the machine that makes it is behind.',
    },
    notYetValid: {
      title: `${upper(what)} is from the future`,
      why: 'Its iat or nbf is later than the time here: the clock of the machine that makes it is ahead, or the time is in milliseconds.',
    },
    timeMalformed: {
      title: `A time in ${what} is missing, or is no number`,
      why: 'Times are numbers of seconds since 1970, neither text nor milliseconds.',
    },
    malformed: {
      title: `${upper(what)} is not a signed JWT of the right kind`,
    },
    keyUnknown: {
      title: `${upper(what)} is signed by a key that {client} has not published`,
      why: 'kid and alg of its header have to be those of a key in the jwks, or at the jwks_uri, of the client.',
    },
    signatureWrong: {
      title: `The signature of ${what} does not match`,
      why: 'It is by another key than the one that is known, or the JWT was changed after it was signed.',
    },
    replayed: {
      title: `${upper(what)} was used before`,
      why: 'A JWT with a jti is good once, so that nobody can use one that was overheard.',
    },
  } as const satisfies Record<string, Account>;
}

function upper(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The key that the header names, and those the client is registered with, where they are known. */
export function compareKeys(refused: Case) {
  const keys = refused.client?.jwks?.keys ?? [];
  if (keys.length === 0) return undefined;
  const named = keys.map(({ alg, kid }) =>
    [alg === undefined ? '' : `alg ${alg}`, kid === undefined ? 'no kid' : `kid ${kid}`].filter(Boolean).join(', '),
  );
  return compareText(refused.error.sent ?? 'another key', named, {
    sentLabel: 'The header says',
    expectedLabel: 'Published',
    about: `in the jwks of ${refused.who}`,
  });
}

/** `aud` comes as JSON. */
function unquoted(text = ''): string {
  return text.replace(/^"(.*)"$/, '$1');
}
