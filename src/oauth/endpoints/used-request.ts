import type { AuthorizationServer } from '../authorization-server.ts';

/** A page was shown for a pushed request: it waits for the user (RFC 9126 §2.2). */
export async function keepPushed(server: AuthorizationServer, request_uri: string): Promise<void> {
  const { keepPushedRequest } = await import('../requests/pushed-request.ts');
  await keepPushedRequest(server, request_uri);
}

/** One answer for each pushed request; a refusal takes no offence at one that is gone. */
export async function usePushed(
  server: AuthorizationServer,
  request_uri: string,
  how: 'answered' | 'refused',
): Promise<void> {
  const { dropPushedRequest, usePushedRequest } = await import('../requests/pushed-request.ts');
  await (how === 'answered' ? usePushedRequest : dropPushedRequest)(server, request_uri);
}
