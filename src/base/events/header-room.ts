import type { TokenIssued } from './token-events.ts';

/** Bytes that a request has besides a token: its first line and the usual headers. */
const others = 512;

/** Whether a request with this token in a header or in its address would be refused (431). A refresh token is in a body. */
export function exceedsHeader({ tokenType, token }: Pick<TokenIssued, 'tokenType' | 'token'>, most: number): boolean {
  return tokenType !== 'refresh' && token.length + others > most;
}
