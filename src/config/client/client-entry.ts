import type { Finding } from '../problem.ts';
import { applyRules, readDraft } from '../schema.ts';
import { keyRules } from './client-key-rules.ts';
import { rules } from './client-rules.ts';
import { clientSchema } from './client-schema.ts';
import { sectorRules } from './sector-rules.ts';

/** All that is wrong with an entry of `clients`. */
export function checkClient(raw: unknown): Finding[] {
  const draft = readDraft(clientSchema, raw);
  return [...draft.findings, ...applyRules(draft, [...rules, ...keyRules, ...sectorRules])];
}
