import type { RecordedRequest } from './recorded-request.ts';

/** The codes and tokens in a request. */
export function sentHandles(request: RecordedRequest): readonly string[] {
  const bearer = request.header('authorization')?.trim().split(/\s+/);
  const token = bearer?.length === 2 && !/^basic$/i.test(bearer[0] ?? '') ? bearer[1] : undefined;
  const sent = [request.value('code'), request.value('refresh_token'), request.value('access_token'), token];
  return sent.filter(each => each !== undefined);
}

/** The code and the access token in an answer, even if a fault made them up. */
export function toldHandles(request: RecordedRequest): readonly string[] {
  return [codeIn(request), request.answer.access_token].filter(each => typeof each === 'string');
}

/** The code in the query or fragment of a redirect (RFC 6749 §4.1.2). */
export function codeIn(request: RecordedRequest): string | undefined {
  const location = request.responseHeader('location') ?? '';
  const code = /[?&#]code=([^&#]+)/.exec(location)?.[1];
  return code === undefined ? undefined : (new URLSearchParams(`v=${code}`).get('v') ?? undefined);
}
