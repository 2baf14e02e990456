import en from '../../../../templates/words/en.json' with { type: 'json' };
import type { ScopeDefinition } from '../../../protocol/scope.ts';
import type { Language, Word } from './language.ts';

/** Names of the texts in the catalogue, by their English description. */
const known: ReadonlyMap<string, Word> = new Map(
  (Object.keys(en) as Word[]).flatMap(word => {
    const text = en[word];
    return word.startsWith('scope_') && typeof text === 'string' ? [[text, word] as const] : [];
  }),
);

/** A scope with its description in the language of the page. A description that somebody wrote stays as it is. */
export function scopeWords(
  name: string,
  scope: ScopeDefinition | undefined,
  { say }: Language,
): Pick<ScopeDefinition, 'name' | 'description'> {
  const description = scope?.description ?? name;
  const word = known.get(description);
  return { name, description: word === undefined ? description : say(word) };
}
