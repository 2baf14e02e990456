/** The claims of a JWT whose signature was checked, or of an opaque token, by name (RFC 7519 §4). */
export type Claims = Readonly<Record<string, unknown>>;
