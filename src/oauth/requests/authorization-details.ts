/** One element of `authorization_details` (RFC 9396 §2). */
export type AuthorizationDetail = Readonly<Record<string, unknown>> & { readonly type: string };

/** Types of the values of a field. */
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
  /** Fields in addition to the common ones of §2.2, which every type has. */
  readonly fields: Readonly<Record<string, DetailField>>;
}
