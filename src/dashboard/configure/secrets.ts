import type { Request } from 'express';
import type { Desk } from '../desk.ts';
import { textOf } from '../query.ts';

/** Whether this page hides secrets: the query decides, then the preference of the browser. */
export function areSecretsHidden({ preferences }: Desk, req: Request): boolean {
  const asked = textOf(req.query.secrets);
  if (asked === 'hidden' || asked === 'shown') return asked === 'hidden';
  return preferences.read(req).secrets === 'hidden';
}
