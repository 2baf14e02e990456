/** A kind of application, as a client of a written `clients.config.ts`. */
export interface Variant {
  /** The word that asks for it: `react`. */
  readonly name: string;
  /** What it is, for a comment: `A React application with oidc-client-ts`. */
  readonly title: string;
  /** The entry of `clients`, as lines of TypeScript without indentation. */
  readonly client: string;
  /** How the application is configured to match, or how to try it, as lines of a comment; `leadIn` says which. */
  readonly application: string;
  /** Default: `It is configured like this`. */
  readonly leadIn?: string;
}
