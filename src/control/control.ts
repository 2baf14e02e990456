import type { KeyObject } from 'node:crypto';
import type { Change, Changed, ChangedBy } from '../events/change.ts';
import type { ResetPart } from '../events/configuration-events.ts';
import type { TokenIssued } from '../events/event.ts';
import type { RegisteredClient } from '../oauth/clients/client.ts';
import type { TokenRule, TokenRules } from '../oauth/token-rule.ts';
import type { PublicJwk } from '../oauth/tokens/signing-key.ts';
import type { TestUser } from '../oauth/users/user.ts';
import type { EntryKind } from './entry.ts';
import type { SavedState } from './state/saved-state.ts';

/** Changes to the running sandbox: one implementation for dashboard, API and library. */
export interface Control {
  /** Checks by the rules of `clients.config.ts`, applies in memory, and tells the log. */
  apply(change: Change, by: ChangedBy): Promise<Changed>;
  /** An entry as one would write it into `clients.config.ts`, without defaults; undefined for an unknown one. */
  clientEntry(client_id: string): Readonly<Record<string, unknown>> | undefined;
  userEntry(sub: string): Readonly<Record<string, unknown>> | undefined;
  /** An entry of any kind, in its written form. */
  entry(kind: EntryKind, id: string): Readonly<Record<string, unknown>> | undefined;
  /** Ids of the current entries, in their stored order. */
  ids(kind: EntryKind): readonly string[];
  /** The entry as text: a part of `clients.config.ts`, or JSON; empty for an unknown one. */
  configurationLines(kind: EntryKind, id: string, form?: 'typescript' | 'json'): string;
  /** True if it differs from the configuration of the start. */
  isChanged(kind: EntryKind, id: string): boolean;
  /** The rules for claims in effect; undefined for none. */
  tokenRules(): TokenRules | undefined;
  /**
   * Replaces the rules for claims, from the next token on.
   * @throws invalid_request with every fault of a rule
   */
  replaceTokenRules(rules: unknown, by: ChangedBy): Promise<void>;
  /** Claims of the tokens for a user, a client and scopes, without issuing any; with `rules` in place of those in effect. */
  preview(
    client: RegisteredClient,
    user: TestUser | undefined,
    scopes: readonly string[],
    rules?: readonly TokenRule[],
  ): Promise<TokenPreview>;
  /** The token counts as expired from now on, here and at the sample backend. Tells the log `token.ended`, the next `token.resumed`. */
  expireToken(tokenId: string): Promise<boolean>;
  /** Takes `expireToken` back. */
  resumeToken(tokenId: string): Promise<boolean>;
  /** Ends everything that grew from the authorization of a token (RFC 7009 §2). Tells the log `token.revoked`: `revoked_by_owner`. */
  revokeToken(tokenId: string): Promise<boolean>;
  /** Logins that are alive in some browser, the latest first; of one user, or of all. */
  sessions(sub?: string): Promise<readonly LiveSession[]>;
  /** Ends a session like a logout: revokes its tokens and notifies clients. False where there is no such session. */
  endSession(sid: string): Promise<boolean>;
  /** Signing keys first, then replaced ones, the latest first. Only public parts. */
  keys(): Promise<readonly PublicKeyFacts[]>;
  /** `unpublish`: what was signed before cannot be verified by those who read the keys again. */
  rotateKeys(options?: { readonly unpublish?: boolean; readonly by?: ChangedBy }): Promise<void>;
  /** Takes every key that does not sign out of the JWK Set. */
  unpublishKeys(by: ChangedBy): Promise<void>;
  /** Forgets what happened, and every change; or one part of it. */
  reset(part?: ResetPart): Promise<void>;
  /** The content of a state file, with the private keys. */
  exportState(): Promise<SavedState>;
  /**
   * Replaces keys, changed entries, sessions and refresh tokens by those of a state file.
   * @throws SavedStateError; then nothing has changed
   */
  importState(state: unknown, by: ChangedBy): Promise<void>;
}

/** A login at this server, without the cookie that proves it. */
export interface LiveSession {
  readonly sid: string;
  readonly sub: string;
  /** Unix seconds. */
  readonly auth_time: number;
  readonly acr: string;
  readonly amr: readonly string[];
  /** Clients that got something in the session. */
  readonly clients: readonly string[];
}

/** A signing key as everybody may see it. */
export interface PublicKeyFacts {
  readonly kid: string;
  readonly alg: string;
  readonly publicKey: KeyObject;
  readonly publicJwk: PublicJwk;
  readonly isSigning: boolean;
  readonly isPublished: boolean;
  /** Unix seconds; absent if no end is planned. */
  readonly publishedUntil?: number;
}

/** Claims, by token; a token that would not be issued is absent. */
export interface TokenPreview {
  readonly access: Readonly<Record<string, unknown>>;
  readonly id?: Readonly<Record<string, unknown>>;
  readonly userinfo?: Readonly<Record<string, unknown>>;
  /** The claims that a preset or a rule set. */
  readonly origins: Partial<Readonly<Record<'access' | 'id' | 'userinfo', Pick<TokenIssued, 'written' | 'ruled'>>>>;
}
