import { defined } from '../../base/defined.ts';
import { type Case, caseOf } from './case.ts';
import { compareSentAndExpected } from './compare.ts';
import { type ReasonEntry, say } from './entry.ts';
import type { Known } from './known.ts';
import { type Purpose, purposeOf } from './on-purpose.ts';
import type { Explanation, ProposedFix, Refusal } from './problem.ts';
import { entryFor } from './reasons/index.ts';

/** Explains a refused request: both values, the reason and the fixes. */
export function explainRefusal(known: Known, refusal: Refusal): Explanation {
  const refused = caseOf(known, refusal);
  const entry = entryFor(refusal.error.reason) ?? unknown;
  const comparison = entry.compare?.(refused) ?? compareSentAndExpected(refused);
  const fields = entry.fields?.(refused) ?? [];
  const note = typeof entry.note === 'function' ? entry.note(refused) : entry.note;
  const explained: Explanation = {
    title: say(entry.title, refused),
    ...defined({ comparison }),
    ...(fields.length === 0 ? {} : { fields }),
    why: say(entry.why ?? '{description}.', refused),
    certainty: (typeof entry.certainty === 'function' ? entry.certainty(refused) : entry.certainty) ?? 'certain',
    others: entry.others ?? [],
    fixes: fixesOf(entry, refused),
    ...defined({ note }),
    references: referencesOf(entry),
  };
  const purpose = purposeOf(known, refusal);
  return purpose === undefined ? explained : onPurpose(explained, purpose);
}

/** Replaces the explanation of an intended refusal, because a change of the application would not help. */
function onPurpose(explained: Explanation, { title, why, fix }: Purpose): Explanation {
  return {
    ...explained,
    title,
    why,
    certainty: 'certain',
    fixes: [{ text: fix, snippets: [] }],
  };
}

/** Writes only the title, for lists. */
export function titleOf(known: Known, refusal: Refusal): string {
  return (
    purposeOf(known, refusal)?.title ?? say((entryFor(refusal.error.reason) ?? unknown).title, caseOf(known, refusal))
  );
}

const unknown: ReasonEntry = {
  title: ({ error }) => `${error.error}: ${error.description}`,
  fix: '',
  rfc: '',
};

/** Returns the fixes for this request, and the general sentence if none of them concerns the app. */
function fixesOf(entry: ReasonEntry, refused: Case): readonly ProposedFix[] {
  const own = (entry.fixes?.(refused) ?? []).filter(fix => wouldApply(refused, fix));
  const isAppTold = own.some(({ apply }) => apply === undefined);
  const general = isAppTold ? '' : entry.fix;
  const sentence = entry.insteadOfFix === undefined ? general : say(entry.insteadOfFix, refused);
  return sentence === '' ? own : [...own, { text: sentence, snippets: [] }];
}

/** False for a change that the sandbox itself would refuse, or that nobody can check: it may be wrong. */
function wouldApply({ known: { control } }: Case, { apply }: ProposedFix): boolean {
  return apply === undefined || control?.faultsOf(apply.change).length === 0;
}

function referencesOf({ rfc, references = [] }: ReasonEntry): readonly string[] {
  return [...new Set([...(rfc === '' ? [] : [rfc]), ...references])];
}
