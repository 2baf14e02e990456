// Describes a wrong secret without the secret itself, which must not appear on a page, in the log or in an export.
import { basicOf, type Case, percentDecoded, sentHeader } from '../case.ts';
import { compareWords } from '../compare.ts';

interface Finding {
  /** A description of the sent secret. */
  readonly sent: string;
  readonly why: string;
}

/** Explains why a secret was refused, from the sent and the registered secret if both are known. */
export function secretWords(refused: Case): string {
  return findingOf(refused)?.why ?? 'The sent secret is not the registered one.';
}

/** Compares descriptions of the two secrets, such as their lengths. */
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

/** The usual ways to damage a secret, the most certain first. */
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
      `The sent secret has ${what} ${where} it. Look for a file or variable that ends in a line break, or a copied space.`,
    );
  },
  (sent, registered) =>
    /^(["']).*\1$/.test(sent) && sent.slice(1, -1) === registered
      ? found(sent, 'in quotes', 'The sent secret has quotes around it. Some .env readers and docker keep them.')
      : undefined,
  (sent, registered) =>
    percentDecoded(sent) === registered || percentDecoded(percentDecoded(sent)) === registered
      ? found(
          sent,
          'percent-encoded twice',
          'The secret was percent-encoded twice. For HTTP Basic, form-encode it exactly once (RFC 6749 §2.3.1). In a form, let the form encode it.',
        )
      : undefined,
  (sent, registered) =>
    sent.length < registered.length && registered.startsWith(sent)
      ? found(
          sent,
          'the beginning of the registered one',
          `The secret was cut after ${sent.length} characters${cutAt(registered[sent.length])}.`,
        )
      : undefined,
  (sent, registered) =>
    sent.toLowerCase() === registered.toLowerCase()
      ? found(sent, 'with different upper and lower case', 'The secret differs only in upper and lower case.')
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
          `This is the secret of \`${owner.client_id}\`. client_id and client_secret belong to two different clients.`,
        );
  },
  sent =>
    ['undefined', 'null', ''].includes(sent) || /^\$\{?\w+\}?$/.test(sent)
      ? found(sent, 'a placeholder instead of a secret', 'The app sent a placeholder because its variable is not set.')
      : undefined,
];

function found(sent: string, what: string, why: string): Finding {
  return { sent: `${characters(sent)}, ${what}`, why };
}

function cutAt(next: string | undefined): string {
  return next !== undefined && /[#$&+;:%!`\\ ]/.test(next)
    ? ', before a character that is special in shells, .env files or forms'
    : '';
}

function differentWords(sent: string, registered: string): string {
  const lengths = sent.length === registered.length ? 'Both have the same length.' : 'The lengths differ.';
  return `The sent secret is not the registered one. ${lengths} Is it the secret of a different environment, or an old one?`;
}

function characters({ length }: string): string {
  return length === 1 ? '1 character' : `${length} characters`;
}

function sentSecret(refused: Case): string | undefined {
  if (sentHeader(refused, 'authorization') === undefined) return refused.parameters.get('client_secret');
  const basic = refused.request === undefined ? undefined : basicOf(refused.request)?.secret;
  return basic === undefined ? undefined : percentDecoded(basic.replaceAll('+', ' '));
}
