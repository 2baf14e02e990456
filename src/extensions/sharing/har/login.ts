import type { FlowRecord } from '../../../record/flows/correlation/flow-record.ts';
import { isMasked } from '../../../record/flows/redaction-names.ts';

/** The facts of one login or token request that a HAR file shows. */
export interface HarLogin {
  /** Absent until its first request is placed. */
  record?: FlowRecord;
  readonly authorizationId: string;
  /** The origin of its first request, which is that of the provider. */
  readonly origin: string;
  client_id?: string | undefined;
  redirect_uri?: string | undefined;
  state?: string | undefined;
  scope?: string | undefined;
  challenge?: string | undefined;
  challengeMethod?: string | undefined;
  sub?: string | undefined;
  /** The token id of its code, for the tokens that are made from it. */
  codeId?: string;
  isCodeSent?: boolean;
  /** The browser is at the provider, and has not been sent back to the client. */
  isWaiting: boolean;
}

export interface KnownToken {
  readonly tokenId: string;
  readonly login: HarLogin;
}

/** The logins of a recording, found by the values that a protocol passes on. */
export function createLogins() {
  const all: HarLogin[] = [];
  const tokens = new Map<string, KnownToken>();
  const pushed = new Map<string, HarLogin>();
  let lastId = 0;

  return {
    all: all as readonly HarLogin[],
    begin(origin: string): HarLogin {
      const login = { authorizationId: `har-${all.length + 1}`, origin, isWaiting: false };
      all.push(login);
      return login;
    },
    /** Remembers a code or token by its value. A value that was redacted before is not remembered, because all of them are alike. */
    noteToken(value: string, login: HarLogin): KnownToken {
      const known = tokens.get(value);
      if (known !== undefined) return known;
      const token = { tokenId: `tok_har${++lastId}`, login };
      if (!isMasked(value)) tokens.set(value, token);
      return token;
    },
    token: (value: string | null | undefined) => (value == null ? undefined : tokens.get(value)),
    notePushed: (uri: string, login: HarLogin) => void pushed.set(uri, login),
    pushed: (uri: string | null) => (uri === null ? undefined : pushed.get(uri)),
    /** The newest login that matches. */
    last: (matches: (login: HarLogin) => boolean) => all.findLast(matches),
  };
}

export type Logins = ReturnType<typeof createLogins>;
