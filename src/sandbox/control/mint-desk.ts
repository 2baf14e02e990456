import { OAuthError } from '../../protocol/errors.ts';
import { defects } from '../../server/faults/defects.ts';
import { type Called, mintChecked } from './from-library.ts';

/** Tokens minted by a form. */
export interface MintDesk {
  /** Deliberate defects: names, each with a sentence. */
  readonly defects: Readonly<Record<string, string>>;
  make(members: Readonly<Record<string, unknown>>): Promise<Minted>;
}

/** The `tok_…` of the token, or what was wrong with the request, in sentences. */
export type Minted =
  | { readonly ok: true; readonly tokenId: string }
  | { readonly ok: false; readonly problems: readonly string[] };

export function createMintDesk(called: Called): MintDesk {
  return {
    defects: Object.fromEntries(Object.entries(defects).map(([name, { about }]) => [name, about])),
    async make(members) {
      try {
        const { tokenId } = await mintChecked(called, members);
        return { ok: true, tokenId };
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        return { ok: false, problems: sentencesOf(error) };
      }
    },
  };
}

function sentencesOf({ description, details: { problems = [] } }: OAuthError): readonly string[] {
  if (problems.length === 0) return [`${description}.`];
  return problems.map(({ member, expected, nearest }) => {
    const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    return `${member}: expected ${expected}.${meant}`;
  });
}
