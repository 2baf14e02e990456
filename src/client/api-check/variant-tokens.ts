import type { MintRequest } from '../../sandbox/control/mint-request.ts';

/** A good token that differs from the usual one in one thing, which some APIs expect. */
export interface TokenVariant {
  readonly token: Pick<MintRequest, 'audience' | 'header'>;
  /** For the person whose API accepts this token and refuses the good one: why, and what to change. */
  readonly reason: string;
}

/** Tokens to try at an API that refuses a good one: the one that it accepts says what it expects. */
export function variantsFor(api: URL, client: string, audience: string): readonly TokenVariant[] {
  const audiences = [...new Set([client, api.origin, `${api.origin}/`, api.href])].filter(each => each !== audience);
  return [
    {
      token: { header: { typ: 'JWT' } },
      reason: `The API accepts the token if its typ is JWT. Access tokens have the typ at+jwt (RFC 9068 §2.1): let the API expect that.`,
    },
    ...audiences.map(each => ({
      token: { audience: each },
      reason: `The API accepts the token if its aud is ${each}: give the client audience: '${each}', or let the API expect ${audience}.`,
    })),
  ];
}
