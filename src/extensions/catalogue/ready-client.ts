import type { ClientEntry } from '../../sandbox/config/client/client-config.ts';

/** The kinds of application, in the order of the page. */
export const applicationKinds = {
  browser: 'Single-page apps',
  native: 'Desktop, mobile and command-line apps',
  web: 'Web apps with a server',
  service: 'Services without a user',
  api: 'APIs that call or check',
  device: 'Approval on another screen',
  removed: 'Removed by OAuth 2.1',
} as const;

export type ApplicationKind = keyof typeof applicationKinds;

/** Values of a command that are not settings of the client. */
interface CommandValues {
  /** The redirect URI that the application sends, if it differs from the registered one. */
  readonly redirect_uri?: string;
  /** Path of the resource that the token is for, below the issuer (RFC 8707). */
  readonly resource?: string;
  readonly extra?: Readonly<Record<string, string>>;
  readonly alg?: 'RS256' | 'PS256';
}

export interface ReadyClient extends ClientOfKind {
  readonly kind: ApplicationKind;
}

/** A client that a tutorial can quote, in the list of its kind. */
export interface ClientOfKind {
  /** Two to five words: `Single-page app`. */
  readonly title: string;
  /** The users of this client, in one sentence. */
  readonly use: string;
  /** The specification to read: `RFC 7636 §4`. */
  readonly read: string;
  /** The valid entry for `clients`. */
  readonly settings: ClientEntry;
  /** The section of `templates/snippets/catalogue.ejs` with the command. */
  readonly command: string;
  readonly values?: CommandValues;
  /** A setting of the sandbox that the client needs: `TLS=self-signed`. */
  readonly needs?: string;
}
