import { createHmac } from 'node:crypto';

type Members = Readonly<Record<string, unknown>>;

/** An answer of the user pool API. */
export interface PoolAnswer {
  readonly status: number;
  readonly body: Members;
}

/** A signature that any back end could have made. */
export const signed = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/cognito-idp/aws4_request, SignedHeaders=host, Signature=0',
};

/** Sends an action as SDKs do. */
export async function send(
  url: string,
  action: string,
  input: unknown,
  headers: Readonly<Record<string, string>> = action.startsWith('Admin') ? signed : {},
): Promise<PoolAnswer> {
  const response = await fetch(`${url}/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${action}`,
      ...headers,
    },
    body: typeof input === 'string' ? input : JSON.stringify(input),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Members) };
}

/** `SECRET_HASH` of a confidential client. */
export function secretHash(username: string, client_id: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(username + client_id)
    .digest('base64');
}

/** The code of a time, in Unix seconds, for a secret in Base32 (RFC 6238, RFC 4648 §6). */
export function totpAt(secret: string, time: number): string {
  const bits = [...secret].map(letter =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(time / 30)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
