import type { Operation } from '../operation.ts';
import { breakpointOperations } from './breakpoints.ts';
import { clockOperations } from './clock.ts';
import { entryOperations } from './entries.ts';
import { eventOperations } from './events.ts';
import { faultOperations } from './faults.ts';
import { issuerOperations } from './issuers.ts';
import { keyOperations } from './keys.ts';
import { loginOperations, nextLoginOperations, sessionOperations } from './login.ts';
import { reloadOperations } from './reload.ts';
import { describingOperations, sandboxOperations } from './sandbox.ts';
import { tokenClaimsOperations } from './token-claims.ts';
import { inspectToken, mintOperations, tokenOperations } from './tokens.ts';

/** Everything that may be asked under `/_sandbox`, in the order of the document, with the operations of extensions. */
export function operationsWith(ofExtensions: readonly Operation[]): readonly Operation[] {
  const all: readonly Operation[] = [
    ...describingOperations(() => all),
    ...entryOperations,
    ...tokenClaimsOperations,
    ...nextLoginOperations,
    ...loginOperations,
    ...mintOperations,
    ...clockOperations,
    ...issuerOperations,
    ...faultOperations,
    ...breakpointOperations,
    ...keyOperations,
    ...sessionOperations,
    ...tokenOperations,
    inspectToken,
    ...eventOperations,
    ...sandboxOperations,
    ...reloadOperations,
    ...ofExtensions,
  ];
  return all;
}
