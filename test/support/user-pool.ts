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
