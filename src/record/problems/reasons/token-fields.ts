import { decodeJwt } from '../../../base/text/jwt.ts';
import { apiReceivers, isAccessTokenType, judgeAudience, judgeIssuer } from '../../../protocol/judge-claims.ts';
import { type Case, sentHeader, shown } from '../case.ts';
import type { FieldCheck } from '../problem.ts';

/** The access token of a request, wherever it was sent. */
export function sentToken(refused: Case): string | undefined {
  return sentHeader(refused, 'authorization')?.trim().split(/\s+/).at(-1) ?? refused.parameters.get('access_token');
}

/** Checks the claims that distinguish an access token from an ID Token. */
export function tokenFields(refused: Case): readonly FieldCheck[] {
  const jwt = decodeJwt(sentToken(refused) ?? '');
  if (jwt === undefined) return [];
  const { typ } = jwt.header;
  const { aud, iss } = jwt.claims;
  const text = (value: unknown) =>
    value === undefined ? 'missing' : shown(typeof value === 'string' ? value : JSON.stringify(value));
  return [
    { name: 'typ', sent: text(typ), expected: 'at+jwt', isRight: isAccessTokenType(typ) },
    {
      name: 'iss',
      sent: text(iss),
      expected: refused.known.iss,
      isRight: judgeIssuer(iss, refused.known.iss).level === 'pass',
    },
    ...audienceField(refused, jwt.claims, text(aud)),
  ];
}

/** The `aud` as the sample backend judges it, whatever kind of token it is in. */
function audienceField({ known, request }: Case, claims: Readonly<Record<string, unknown>>, sent: string) {
  const collection = /\/api\/([^/]+)/.exec(request?.path ?? '')?.[1];
  if (known.api === undefined || collection === undefined) return [];
  const { level } = judgeAudience(claims, apiReceivers(known.api, collection));
  return [{ name: 'aud', sent, expected: 'an audience of the API', isRight: level === 'pass' }];
}
