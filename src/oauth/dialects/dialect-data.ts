import type { SpokenError, WrittenKind } from '../dialect.ts';
import type { Reason } from '../reason.ts';
import type { MessageMode } from '../requests/posted-response.ts';
import type { ClaimRule } from './claim-rules.ts';

/** A dialect as a preset describes it. */
export interface DialectData {
  /** The name of the preset. */
  readonly name: string;
  /** Values of the preset, for templates: `${options.realm}`. */
  readonly options: Readonly<Record<string, string>>;
  /** The issuer identifier as a template of `issuer`, the address, and `options`; absent: the address. */
  readonly identifier?: string;
  readonly metadata: MetadataForm;
  /** Tokens and answers with a form of their own; `refreshToken` makes refresh tokens JWTs. */
  readonly forms: Partial<Readonly<Record<WrittenKind, ClaimForm>>>;
  /**
   * Response modes by which a page posts the answer to the window that asked, each with its message as a template of
   * `response`, the parameters: `'${response}'` is the parameters themselves.
   */
  readonly messages?: Readonly<Record<MessageMode, unknown>>;
  /** The header `typ` of access tokens. */
  readonly accessTokenType: string;
  /** By our reason; other errors stay as they are. Of several rules the first that fits counts. */
  readonly errors: Partial<Readonly<Record<Reason, ErrorRule | readonly ErrorRule[]>>>;
}

/** How an error is answered. `${sent}` and `${expected}` in the description are those of the error. */
export interface ErrorRule extends SpokenError {
  /** The rule is only for errors about this value; absent: for all. */
  readonly sent?: string;
}

/** Changes to the members of the metadata. */
export interface MetadataForm {
  /** Members to add or to replace, as templates of `issuer`, `options`, `signingAlg` and the `usual` members. */
  readonly add: Readonly<Record<string, unknown>>;
  readonly omit: readonly string[];
  /** The usual members to keep; absent: all besides `omit`. */
  readonly keep?: readonly string[];
}

/** Changes to claims: the usual ones without `omit`, and then those of the rules. */
export interface ClaimForm {
  /** Members that are written as text, such as `"true"`; a star at the end stands for any rest of the name. */
  readonly texts?: readonly string[];
  readonly omit: readonly string[];
  /** One audience is a list, too. */
  readonly listsAudience?: true;
  readonly rules: readonly ClaimRule[];
}
