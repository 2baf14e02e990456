import { defined } from '../defined.ts';
import { type Case, caseOf } from './case.ts';
import { compareSentAndExpected } from './compare.ts';
import { type Entry, say } from './entry.ts';
import { entries } from './explanations/index.ts';
import { fixFor } from './fixes/index.ts';
import type { Known } from './known.ts';
import { type Purpose, purposeOf } from './on-purpose.ts';
import type { Explanation, ProposedFix, Refusal } from './problem.ts';
import type { RefusalReason } from './refusal-reason.ts';

/** Why a request was refused, with both values and what to do. */
export function explainRefusal(known: Known, refusal: Refusal): Explanation {
  const refused = caseOf(known, refusal);
  const entry = entryOf(refusal.error.reason);
  const comparison = entry.compare?.(refused) ?? compareSentAndExpected(refused);
  const fields = entry.fields?.(refused) ?? [];
  const note = typeof entry.note === 'function' ? entry.note(refused) : entry.note;
  const explained: Explanation = {
    title: say(entry.title, refused),
    ...defined({ comparison }),
    ...(fields.length === 0 ? {} : { fields }),
    why: say(entry.why, refused),
    certainty: (typeof entry.certainty === 'function' ? entry.certainty(refused) : entry.certainty) ?? 'certain',
    others: entry.others ?? [],
    fixes: fixesOf(entry, refused),
    ...defined({ note }),
    references: referencesOf(entry, refusal),
  };
  const purpose = purposeOf(known, refusal);
  return purpose === undefined ? explained : onPurpose(explained, purpose);
}

/** Whose doing it was comes first; what the application could change is no way to mend it. */
function onPurpose(explained: Explanation, { title, why, fix }: Purpose): Explanation {
  return {
    ...explained,
    title,
    why,
    certainty: 'certain',
    fixes: [{ text: fix, snippets: [] }],
  };
}

/** The headline alone: what a list needs of many. */
export function titleOf(known: Known, refusal: Refusal): string {
  return purposeOf(known, refusal)?.title ?? say(entryOf(refusal.error.reason).title, caseOf(known, refusal));
}

const unknown: Entry = {
  title: ({ error }) => `${error.error}: ${error.description}`,
  why: ({ error }) => `${error.description}.`,
};

function entryOf(reason: string): Entry {
  return Object.hasOwn(entries, reason) ? entries[reason as RefusalReason] : unknown;
}

/** What was worked out for this very request; where that says nothing of the app, the sentence that is true for all of its kind. */
function fixesOf(entry: Entry, refused: Case): readonly ProposedFix[] {
  const own = entry.fixes?.(refused) ?? [];
  const isAppTold = own.some(({ apply }) => apply === undefined);
  const general = isAppTold ? '' : (fixFor(refused.error.reason)?.fix ?? '');
  const sentence = entry.fix === undefined ? general : say(entry.fix, refused);
  return sentence === '' ? own : [...own, { text: sentence, snippets: [] }];
}

function referencesOf({ references = [] }: Entry, { error }: Refusal): readonly string[] {
  const rule = fixFor(error.reason)?.rfc ?? '';
  return [...new Set([...(rule === '' ? [] : [rule]), ...references])];
}
