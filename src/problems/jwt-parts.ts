type Members = Readonly<Record<string, unknown>>;

/** What a JWT says, right or wrong, signed or not; undefined for what is none. */
export function jwtParts(text: string | undefined): { readonly header: Members; readonly claims: Members } | undefined {
  const [head = '', body = ''] = text?.split('.') ?? [];
  const header = members(head);
  const claims = members(body);
  return header === undefined || claims === undefined ? undefined : { header, claims };
}

function members(part: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
