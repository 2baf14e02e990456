/** One element of `authorization_details` (RFC 9396 §2). */
export type AuthorizationDetail = Readonly<Record<string, unknown>> & { readonly type: string };

/** What a field of a type may hold. */
export type DetailFieldType = 'string' | 'number' | 'boolean' | 'object' | 'array';

export interface DetailField {
  readonly type: DetailFieldType;
  readonly required: boolean;
}

/** A type of authorization details this server knows (RFC 9396 §2.1). */
export interface AuthorizationDetailsType {
  readonly name: string;
  /** Plain words, completing "the application wants to …". */
  readonly description: string;
  /** Besides the common ones of §2.2, which every type has. */
  readonly fields: Readonly<Record<string, DetailField>>;
}
