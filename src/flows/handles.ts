import type { RecordedRequest } from './recorded-request.ts';

/** Codes and tokens that a request came with. */
export function sentHandles(request: RecordedRequest): readonly string[] {
  const bearer = request.header('authorization')?.trim().split(/\s+/);
  const token = bearer?.length === 2 && !/^basic$/i.test(bearer[0] ?? '') ? bearer[1] : undefined;
  const sent = [request.value('code'), request.value('refresh_token'), request.value('access_token'), token];
  return sent.filter(each => each !== undefined);
}

/** The code and the access token that a request was answered with, whether or not they were ever issued. */
export function toldHandles(request: RecordedRequest): readonly string[] {
  return [codeIn(request), request.answer.access_token].filter(each => typeof each === 'string');
}

/** In the query or the fragment of where the browser is sent (RFC 6749 §4.1.2). */
export function codeIn(request: RecordedRequest): string | undefined {
  const location = request.responseHeader('location') ?? '';
  const code = /[?&#]code=([^&#]+)/.exec(location)?.[1];
  return code === undefined ? undefined : (new URLSearchParams(`v=${code}`).get('v') ?? undefined);
}
