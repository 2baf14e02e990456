import { type Difference, newValue } from './pattern.ts';

/** The sentence about a request that differs in one thing. It names what goes over the wire, and no field of an event. */
export function sentenceOf({ part, ...off }: Difference): string {
  if (part === 'parameter' || part === 'header') return partSentence(off, part);
  return Object.hasOwn(sentences, off.field) ? (sentences[off.field]?.(off) ?? generic) : generic;
}

export const generic = 'Almost: one thing in the newest request differs from what this task asks for.';

function partSentence({ field, sent, expected }: Difference, part: 'parameter' | 'header'): string {
  const name = part === 'header' ? `header \`${field}\`` : `\`${field}\``;
  if (sent !== undefined && expected === newValue)
    return `An earlier sign-in had the same \`${field}\`. Make a new one for each sign-in.`;
  if (expected === 'nothing') return `Your request has the ${part} \`${field}\`. This task asks for one without.`;
  if (sent === undefined) return `Almost: your request has no ${name}.`;
  return `Almost: the ${part} \`${field}\` of your request is not the one that this task asks for.`;
}

type Sentence = (off: Pick<Difference, 'sent' | 'expected'>) => string;

const elsewhere: Sentence = () => 'The request went to a different address than the one of this task.';
const earlier: Sentence = () => 'That belongs to a different request or sign-in than the one before.';

const of =
  (what: string): Sentence =>
  ({ sent, expected }) =>
    sent === undefined
      ? `This task is about the ${what} \`${expected}\`.`
      : `That was the ${what} \`${sent}\`. This task is about \`${expected}\`.`;

const sentences: Readonly<Record<string, Sentence>> = {
  scope: ({ sent, expected }) => {
    const wanted = expected.replaceAll(/^\u2026 | \u2026$/g, '');
    if (sent === undefined) return `Almost: your request has no \`scope\`. Ask for \`${wanted}\`.`;
    return `Your request asked for the scope \`${sent}\`. This task needs \`${wanted}\`.`;
  },
  status: ({ sent, expected }) => `The response was ${sent}. This task needs ${expected}.`,
  method: ({ sent, expected }) => `That was \`${sent}\`. This task asks for \`${expected}\`.`,
  client_id: of('client'),
  sub: of('user'),
  grant_type: of('grant'),
  piece: ({ sent = 'something else', expected }) => `You changed ${sent}. This task is about ${expected}.`,
  code_challenge_method: () => 'The address of the sign-in has no `code_challenge` with the method `S256`.',
  without: () => 'This request must not happen: your client believed what it had to refuse.',
  endpoint: elsewhere,
  path: elsewhere,
  ...{
    tokenId: earlier,
    parentTokenId: earlier,
    about: earlier,
    authorizationId: earlier,
    requestId: earlier,
    sid: earlier,
  },
};
