/** One element of `authorization_details` (RFC 9396 §2). */
export type AuthorizationDetail = Readonly<Record<string, unknown>> & { readonly type: string };

/** Types of the values of a field. */
export type DetailFieldType = 'string' | 'number' | 'boolean' | 'object' | 'array';

export interface DetailField {
  readonly type: DetailFieldType;
  readonly required: boolean;
}

/** A supported type of authorization details (RFC 9396 §2.1). */
export interface AuthorizationDetailsType {
  readonly name: string;
  /** Plain words that complete "the application wants to …". */
  readonly description: string;
  /** Fields in addition to the common fields of §2.2. */
  readonly fields: Readonly<Record<string, DetailField>>;
}
