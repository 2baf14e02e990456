/** One element of `authorization_details` (RFC 9396 §2). */
export type AuthorizationDetail = Readonly<Record<string, unknown>> & { readonly type: string };
