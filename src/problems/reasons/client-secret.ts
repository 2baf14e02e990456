// What is wrong with a secret, in words only: a page, a log or an export must not have it.
import { basicOf, type Case, percentDecoded, sentHeader } from '../case.ts';
import { compareWords } from '../compare.ts';

interface Finding {
  /** What came, in words. */
  readonly sent: string;
  readonly why: string;
}

/** Why a secret was refused, as far as both are known. */
export function secretWords(refused: Case): string {
  return findingOf(refused)?.why ?? 'The secret that came is not the one that is registered, and is not like it.';
}

export function compareSecret(refused: Case) {
  const registered = refused.client?.client_secret;
  const length = registered === undefined ? '' : `, ${characters(registered)}`;
  const about = `registered for ${refused.who}`;
  const sent = findingOf(refused)?.sent ?? refused.error.sent ?? '';
  return compareWords(sent, `the registered secret${length}`, { about });
}

function findingOf(refused: Case): Finding | undefined {
  const registered = refused.client?.client_secret;
  const sent = sentSecret(refused);
  if (registered === undefined || sent === undefined) return undefined;
  for (const check of checks) {
    const finding = check(sent, registered, refused);
    if (finding !== undefined) return finding;
  }
  return { sent: characters(sent), why: differentWords(sent, registered) };
}

type Check = (sent: string, registered: string, refused: Case) => Finding | undefined;

/** The usual ways a secret is spoilt, the surest first. */
const checks: readonly Check[] = [
  (sent, registered) => {
    if (sent.trim() !== registered) return undefined;
    const where = [/^\s/.test(sent) ? 'before' : '', /\s$/.test(sent) ? 'after' : '']
      .filter(each => each !== '')
      .join(' and ');
    const what = /[\r\n]/.test(sent) ? 'a line break' : 'white space';
    return found(
      sent,
      `with ${what} ${where} it`,
      `There is ${what} ${where} the secret. A file or variable that ends in a line break, or a copied space, does that.`,
    );
  },
  (sent, registered) =>
    /^(["']).*\1$/.test(sent) && sent.slice(1, -1) === registered
      ? found(sent, 'in quotes', 'The secret came with the quotes around it: some .env readers and docker keep them.')
      : undefined,
  (sent, registered) =>
    percentDecoded(sent) === registered || percentDecoded(percentDecoded(sent)) === registered
      ? found(
          sent,
          'percent-encoded once too often',
          'The secret came percent-encoded once too often: for Basic it is form-encoded exactly once (RFC 6749 §2.3.1), in a form by the form alone.',
        )
      : undefined,
  (sent, registered) =>
    sent.length < registered.length && registered.startsWith(sent)
      ? found(
          sent,
          'the beginning of the registered one',
          `The secret is cut after ${sent.length} characters${cutAt(registered[sent.length])}.`,
        )
      : undefined,
  (sent, registered) =>
    sent.toLowerCase() === registered.toLowerCase()
      ? found(sent, 'with other upper and lower case', 'The secret differs in upper and lower case only, which counts.')
      : undefined,
  (sent, _, { known, client }) => {
    const owner = [...known.registered()].find(
      each => each.client_secret === sent && each.client_id !== client?.client_id,
    );
    return owner === undefined
      ? undefined
      : found(
          sent,
          `the secret of ${owner.client_id}`,
          `This is the secret of ${owner.client_id}: client_id and client_secret belong to two clients.`,
        );
  },
  sent =>
    ['undefined', 'null', ''].includes(sent) || /^\$\{?\w+\}?$/.test(sent)
      ? found(sent, 'no secret but a placeholder', 'A variable that is not set was sent instead of the secret.')
      : undefined,
];

function found(sent: string, what: string, why: string): Finding {
  return { sent: `${characters(sent)}, ${what}`, why };
}

function cutAt(next: string | undefined): string {
  return next !== undefined && /[#$&+;:%!`\\ ]/.test(next)
    ? ', where a character stands that shells, .env files or forms treat in their own way'
    : '';
}

function differentWords(sent: string, registered: string): string {
  const lengths =
    sent.length === registered.length ? 'Both have the same length, but other characters.' : 'It has another length.';
  return `The secret that came is not the one that is registered. ${lengths} Is it the secret of another environment, or from before a change?`;
}

function characters({ length }: string): string {
  return length === 1 ? '1 character' : `${length} characters`;
}

function sentSecret(refused: Case): string | undefined {
  if (sentHeader(refused, 'authorization') === undefined) return refused.parameters.get('client_secret');
  const basic = refused.request === undefined ? undefined : basicOf(refused.request)?.secret;
  return basic === undefined ? undefined : percentDecoded(basic.replaceAll('+', ' '));
}
