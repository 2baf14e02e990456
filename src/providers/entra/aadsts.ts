import { defined } from '../../base/defined.ts';
import type { ErrorRule } from '../../protocol/dialects/dialect-data.ts';

interface Row {
  readonly error?: string;
  readonly status?: number;
  /** SDKs ask the user again for some of them. */
  readonly suberror?: string;
}

/**
 * An error with its number. `${sent}` and `${expected}` are those of the error; `{tenant}`, `{client}`, `{application}` and
 * `{now}` are the tenant, the id and the name of the application, and the time.
 */
export function aadsts(code: number, text: string, { suberror, ...row }: Row = {}): ErrorRule {
  return {
    ...row,
    error_description: `AADSTS${code}: ${text}`,
    members: { error_codes: [code], ...defined({ suberror }) },
  };
}
