import { isRecord } from '../text/record.ts';
import type { Document } from './documents.ts';
import type { ConfigProblem } from './problem.ts';

/** Reads the files of logos. The reader is loaded only if there is one, to keep the start fast. */
export async function withLogos(
  document: Document | undefined,
): Promise<{ readonly document: Document | undefined; readonly problems: readonly ConfigProblem[] }> {
  if (document === undefined || !mayHaveLogos(document.content)) return { document, problems: [] };
  const { embedLogos } = await import('./embed-logos.ts');
  return embedLogos(document);
}

function mayHaveLogos({ branding, clients, issuers }: Document['content']): boolean {
  if (branding !== undefined || issuers !== undefined) return true;
  return Array.isArray(clients) && clients.some(client => isRecord(client) && client.branding !== undefined);
}
