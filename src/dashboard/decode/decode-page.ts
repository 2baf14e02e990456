import { defined } from '../../base/defined.ts';
import type { EventLog, IssuedEvent } from '../../base/events/event-log.ts';
import { decodeJwt } from '../../base/text/jwt.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import { type ExpectedToken, looksLikeIdToken } from '../../protocol/judge-claims.ts';
import { parseTokenIdentifier } from '../../protocol/tokens/access-token.ts';
import { createStatusOf, tokenTitle, tokenTypeOf } from '../../record/flows/token-status.ts';
import type { SignatureCheck } from '../../sandbox/dashboard.ts';
import { type ClaimRow, claimRows, headerRows } from '../claims/claim-rows.ts';
import { claimsOf, readableToken } from '../claims/claim-values.ts';
import { issuanceOf } from '../claims/issuance.ts';
import type { DashboardPage, Desk } from '../desk.ts';
import { type Decoded, decoded } from './decoded.ts';
import { canChangeRules, type LikePage, likeForm } from './like-this.ts';
import { type Pasted, readPasted } from './pasted.ts';
import { type ClaimsDraft, canSign } from './sign-again.ts';
import { verdictOf } from './verdict.ts';

/** A pasted text with its decoded tokens and their checks. Nothing is stored. */
interface DecodePage {
  readonly pasted: string;
  /** What the receiver of the token expects. */
  readonly expected: ExpectedToken;
  /** An error message, if the text was too long to decode. */
  readonly problem?: string;
  readonly notes: readonly string[];
  readonly tokens: readonly Awaited<ReturnType<typeof judge>>[];
  /** Edited claims that could not be signed. */
  readonly draft?: ClaimsDraft;
  /** A change of rules to accept. */
  readonly like?: LikePage;
}

/** Wraps the model as a dashboard page. */
export function shownDecode(model: DecodePage, status = 200): DashboardPage {
  return { template: 'decode', title: 'Decode', nav: 'decode', model, status };
}

/** The page before anything is pasted. */
export function emptyDecodePage(problem?: string): DecodePage {
  return { pasted: '', expected: {}, notes: [], tokens: [], ...defined({ problem }) };
}

/** Decodes all tokens in a pasted text and checks them. */
export async function decodePage(text: string, desk: Desk, expected: ExpectedToken = {}): Promise<DecodePage> {
  const pasted = readPasted(text);
  const tokens = await Promise.all(pasted.tokens.map(token => judge(decoded(token), desk, expected)));
  const others = alreadyDecoded(pasted, desk, expected);
  return { pasted: text, expected, notes: pasted.notes, tokens: [...tokens, ...others] };
}

async function judge(token: Decoded, desk: Desk, expected: ExpectedToken) {
  const found = findOurs(token, desk.events);
  const inside = insideOf(token, found);
  const signed = token.kind === 'signed' ? await signatureOf(token, desk) : undefined;
  const isReadable = inside.header !== undefined || inside.claims !== undefined;
  const { header = {}, claims = {} } = inside;
  const isReal = found !== undefined && (isSameToken(found, token.text) || (typeof signed === 'object' && signed.ok));
  const issued = isReal ? { tokenType: tokenTypeOf(found), client_id: found.client_id } : undefined;
  const judged = { header, claims, ...defined({ signed, issued }), now: desk.clock(), expected };
  return {
    // `access_token`; empty if the pasted text does not name the token
    name: token.name,
    // the kind of token, in a sentence
    words: wordsFor(token, inside),
    faults: token.faults,
    // parts with errors
    broken: token.parts.filter(({ faults }) => faults.length > 0),
    parts: token.parts,
    header: headerRows(header),
    claims: rowsOf(claims, isReal ? found : undefined, desk),
    ...editOf(inside, desk),
    ...(!isReal && likeOf(inside.claims, desk)),
    verdict: isReadable && inside.claims !== undefined ? verdictOf(judged, desk) : [],
    ...(found === undefined ? {} : { ours: oursOf(found, token, desk) }),
  };
}

/** Claims and header as texts for the form; absent if there are no claims, or if the dashboard cannot sign. */
function editOf({ header = {}, claims }: { header?: ParsedObject; claims?: ParsedObject }, desk: Desk) {
  if (claims === undefined || !canSign(desk)) return {};
  return { edit: { claims: JSON.stringify(claims, undefined, 2), header: JSON.stringify(header) } };
}

/** For tokens of other servers; absent without claims, or if the dashboard changes nothing. */
function likeOf(claims: ParsedObject | undefined, desk: Desk) {
  if (claims === undefined || !canChangeRules(desk)) return {};
  return { like: likeForm(claims, looksLikeIdToken(claims), desk) };
}

async function signatureOf({ text, parts }: Decoded, { verify }: Desk): Promise<SignatureCheck | 'missing'> {
  return parts[2] === undefined || parts[2].text === '' ? 'missing' : verify(text);
}

/** The readable content. For an encrypted or opaque token of this server, the log has it. */
function insideOf(token: Decoded, ours: IssuedEvent | undefined): { header?: ParsedObject; claims?: ParsedObject } {
  const { header, claims } = token;
  if (token.kind === 'signed' || token.kind === 'part') {
    return { ...defined({ header, claims }) };
  }
  const signed = ours === undefined ? undefined : decodeJwt(readableToken(ours));
  const known = ours === undefined ? {} : claimsOf(ours);
  const shown = header ?? signed?.header;
  return {
    ...defined({ header: shown }),
    ...(Object.keys(known).length === 0 ? {} : { claims: known }),
  };
}

/** The same token in the log, or the one with its `jti`. */
function findOurs({ text, claims }: Decoded, events: EventLog): IssuedEvent | undefined {
  const { jti } = claims ?? {};
  return (
    events.issuedAs(text) ?? (typeof jti === 'string' ? events.issued(parseTokenIdentifier(jti).tokenId) : undefined)
  );
}

function isSameToken(event: IssuedEvent, text: string): boolean {
  return event.token === text || ('signed' in event && event.signed === text);
}

function oursOf(event: IssuedEvent, { text }: Decoded, { events, clock }: Desk) {
  const status = createStatusOf(events, clock())(event);
  // if only the `jti` is the same, `isSame` is false
  return { tokenId: event.tokenId, title: tokenTitle(event), status, isSame: isSameToken(event, text) };
}

function rowsOf(claims: ParsedObject, ours: IssuedEvent | undefined, desk: Desk): ClaimRow[] {
  return claimRows(claims, desk.clock(), ours === undefined ? undefined : issuanceOf(ours, claims, desk));
}

const kinds: Readonly<Record<string, string>> = {
  'at+jwt': 'An access token (RFC 9068)',
  'application/at+jwt': 'An access token (RFC 9068)',
  'logout+jwt': 'A logout token (OIDC Back-Channel Logout)',
  'dpop+jwt': 'A DPoP proof (RFC 9449)',
  'oauth-authz-req+jwt': 'A request object (RFC 9101)',
  'token-introspection+jwt': 'An introspection response (RFC 9701)',
};

function wordsFor(token: Decoded, inside: { readonly claims?: ParsedObject }): string {
  if (token.kind === 'opaque') return 'A random string, not a JWT: only its issuer can read it';
  if (token.kind === 'part') return 'A part of a token';
  if (token.kind === 'encrypted') {
    const known =
      inside.claims === undefined
        ? 'only the owner of the private key can read it'
        : 'this sandbox issued it and knows the content';
    return `An encrypted token (JWE): ${known}`;
  }
  const { typ } = token.header ?? {};
  const known = typeof typ === 'string' ? kinds[typ.toLowerCase()] : undefined;
  return (
    known ??
    (looksLikeIdToken(token.claims ?? {}) ? 'A signed token; an ID token by its claims' : 'A signed token (JWT)')
  );
}

function alreadyDecoded({ decoded: given }: Pasted, desk: Desk, expected: ExpectedToken) {
  if (given === undefined) return [];
  const { header = {}, claims } = given;
  return [
    {
      name: '',
      words: 'Claims, not in a token',
      faults: [],
      broken: [],
      parts: [],
      header: headerRows(header),
      claims: rowsOf(claims, undefined, desk),
      ...editOf(given, desk),
      ...likeOf(claims, desk),
      verdict: verdictOf({ header, claims, now: desk.clock(), expected }, desk),
    },
  ];
}
