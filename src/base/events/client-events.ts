// Clients: registered by themselves, identified by a document, and their keys.

export interface ClientKeysFetched {
  readonly type: 'client_keys.fetched';
  readonly client_id: string;
  readonly jwks_uri: string;
  readonly kids: readonly string[];
}
export interface ClientRegistered {
  readonly type: 'client.registered';
  readonly client_id: string;
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly scope: string;
}
export interface ClientUpdated extends Omit<ClientRegistered, 'type'> {
  readonly type: 'client.updated';
}
export interface ClientDeleted {
  readonly type: 'client.deleted';
  readonly client_id: string;
}
export interface ClientDocumentFetched {
  readonly type: 'client_document.fetched';
  /** The address of the document. */
  readonly client_id: string;
  /** Seconds it is kept. */
  readonly keptFor: number;
  readonly milliseconds: number;
}
export interface ClientDocumentRefused {
  readonly type: 'client_document.refused';
  readonly client_id: string;
  /** Fault of the document, or of fetching it. */
  readonly description: string;
}

export type ClientEvent =
  | ClientKeysFetched
  | ClientRegistered
  | ClientUpdated
  | ClientDeleted
  | ClientDocumentFetched
  | ClientDocumentRefused;
