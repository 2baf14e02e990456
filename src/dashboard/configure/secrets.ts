import type { Request } from 'express';
import type { Desk } from '../desk.ts';
import { textOf } from '../query.ts';

/** Whether secrets stay off this page: as the browser is set, unless its address says otherwise. */
export function areSecretsHidden({ preferences }: Desk, req: Request): boolean {
  const asked = textOf(req.query.secrets);
  if (asked === 'hidden' || asked === 'shown') return asked === 'hidden';
  return preferences.read(req).secrets === 'hidden';
}
