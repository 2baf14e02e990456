import type { Request } from 'express';
import type { PageContext } from './page.ts';

/** A query parameter that is text; anything else (absent, repeated) is empty. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A query parameter that is a whole number; undefined for anything else. */
export function integerOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Whether this page hides secrets: the query decides, then the preference of the browser. */
export function areSecretsHidden({ preferences }: PageContext, req: Request): boolean {
  const asked = textOf(req.query.secrets);
  if (asked === 'hidden' || asked === 'shown') return asked === 'hidden';
  return preferences.read(req).secrets === 'hidden';
}
