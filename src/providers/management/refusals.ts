import { defined } from '../../base/defined.ts';
import type { ChangeFault } from '../../base/events/change.ts';
import { insufficientScope, invalidRequest, type OAuthError } from '../../protocol/errors.ts';
import { shorten } from '../../protocol/parameters.ts';

/** 404, in the words of the provider. */
export function entryUnknown(description: string, sent?: string): OAuthError {
  const details = { status: 404, ...(sent === undefined ? {} : { sent: shorten(sent, 200) }) };
  return invalidRequest('management_entry_unknown', description, details);
}

/** Refuses like that an entry that was looked for: `found ?? missing('User not found', id)`. */
export function missing(description: string, sent?: string): never {
  throw entryUnknown(description, sent);
}

/** 409, in the words of the provider. */
export function entryTaken(description: string): OAuthError {
  return invalidRequest('management_entry_taken', description, { status: 409 });
}

/** 400, in the words of the provider. */
export function inputInvalid(description: string, faults?: readonly ChangeFault[]): OAuthError {
  return invalidRequest('management_input_invalid', description, faults === undefined ? {} : { faults });
}

/** 403. Of the rights one would have been enough. */
export function rightMissing(caller: string, needs: readonly string[]): OAuthError {
  return insufficientScope('management_right_missing', `${shorten(caller, 100)} may not send this call`, {
    sent: `none of the rights ${needs.join(', ')}`,
    expected: needs.join(' or '),
  });
}

/** 501, with the call that may have been meant, if there is one. */
export function notServed(title: string, sent: string, nearest: string | undefined): OAuthError {
  return invalidRequest('not_offered', `this sandbox speaks like ${title}, but does not serve this call`, {
    status: 501,
    sent: shorten(sent, 200),
    ...defined({ expected: nearest }),
  });
}

/** Refuses what the rules of the configuration refuse: 409 for a name that is taken, otherwise 400. */
export function refusedChange(faults: readonly ChangeFault[], taken: string | undefined): OAuthError {
  if (taken !== undefined) return entryTaken(taken);
  const [first] = faults;
  const said = first === undefined ? 'the entry is not as expected' : `${first.member}: expected ${first.expected}`;
  return inputInvalid(shorten(said, 300), faults);
}
