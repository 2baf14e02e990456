import { hash } from 'node:crypto';
import { decodeJwt } from '../../../base/text/jwt.ts';
import { type Case, sentHeader, shown } from '../case.ts';
import type { FieldCheck } from '../problem.ts';

/** Returns the addresses that a proof may name. They are built from the issuer, not from the Host header. */
export function exactUrls({ known, request, error }: Case): readonly string[] {
  const told = (error.expected ?? '').split(' or ').filter(each => /^https?:\/\//.test(each));
  if (told.length > 0 && told.every(each => URL.canParse(each))) return told;
  return request === undefined ? [] : [new URL(known.issuer).origin + request.path];
}

const oldest = 300;
const furthestAhead = 60;

/** Checks the proof of a request field by field (RFC 9449 §4.3); empty if the proof is unreadable. */
export function proofFields(refused: Case): readonly FieldCheck[] {
  const proof = decodeJwt(sentHeader(refused, 'dpop') ?? '');
  const { request } = refused;
  if (proof === undefined || request === undefined) return [];
  const { htm, htu, iat, jti, nonce, ath } = proof.claims;
  const { typ } = proof.header;
  const urls = exactUrls(refused);
  const now = Math.floor(refused.error.at);
  const token = boundToken(refused);
  const isNonceWrong = /nonce/.test(refused.error.reason);
  const isReplayed = /replayed/.test(refused.error.reason);
  return [
    field('typ', typ, 'dpop+jwt', typ === 'dpop+jwt'),
    field('htm', htm, request.method, htm === request.method),
    field('htu', htu, urls.join(' or '), typeof htu === 'string' && urls.includes(bare(htu))),
    field(
      'iat',
      iat,
      `${now - oldest} to ${now + furthestAhead}`,
      typeof iat === 'number' && iat >= now - oldest && iat <= now + furthestAhead,
    ),
    field(
      'jti',
      jti,
      isReplayed ? 'an unused value' : 'a new value in each proof',
      typeof jti === 'string' && jti !== '' && !isReplayed,
    ),
    ...(token === undefined ? [] : [field('ath', ath, s256(token), ath === s256(token))]),
    ...(nonce === undefined && !isNonceWrong
      ? []
      : [field('nonce', nonce, 'the value of the DPoP-Nonce header', !isNonceWrong)]),
  ];
}

function field(name: string, sent: unknown, expected: string, isRight: boolean): FieldCheck {
  return {
    name,
    sent: sent === undefined ? 'missing' : shown(typeof sent === 'string' ? sent : JSON.stringify(sent)),
    expected,
    isRight,
  };
}

/** Returns the access token of a request to an API. A token request has none, so its proof has no `ath`. */
function boundToken(refused: Case): string | undefined {
  return /^(?:dpop|bearer) +(\S+)$/i.exec(sentHeader(refused, 'authorization')?.trim() ?? '')?.[1];
}

function s256(token: string): string {
  return hash('sha256', token, 'base64url');
}

function bare(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}
