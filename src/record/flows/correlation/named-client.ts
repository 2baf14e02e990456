import type { RecordedRequest } from '../recorded-request.ts';

/** The client_id of a request: as identified by the server, or as sent (RFC 6749 §2.3.1). */
export function clientNamed(request: RecordedRequest): string | undefined {
  for (const fact of request.facts) {
    if (!isAboutOthers(fact) && 'client_id' in fact && fact.client_id !== undefined) return fact.client_id;
  }
  return request.value('client_id') ?? basicOf(request)?.id;
}

/** Events that name other clients of the session as well. */
function isAboutOthers({ type }: RecordedRequest['facts'][number]): boolean {
  return type === 'token.revoked' || type === 'logout.notified';
}

/** The decoded user and password of `Authorization: Basic`; undefined for other schemes. */
export function basicOf(request: Pick<RecordedRequest, 'header'>): { id: string; secret: string } | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(request.header('authorization') ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s);
  return { id: decoded(id), secret: decoded(secret) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
