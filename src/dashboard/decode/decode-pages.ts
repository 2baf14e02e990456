import type { Request, Response, Router } from 'express';
import { defined } from '../../base/defined.ts';
import type { EventLog, IssuedEvent } from '../../base/events/event-log.ts';
import { decodeJwt } from '../../base/text/jwt.ts';
import { OAuthError } from '../../protocol/errors.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import {
  comparedWith,
  type ExpectedToken,
  judgeAudience,
  judgeIssuer,
  judgeTimes,
  looksLikeIdToken,
  receiversOf,
} from '../../protocol/judge-claims.ts';
import { parseTokenIdentifier } from '../../protocol/tokens/access-token.ts';
import type { SignatureCheck } from '../../protocol/tokens/verify-signature.ts';
import { createStatusOf, tokenTitle, tokenTypeOf } from '../../record/flows/token-status.ts';
import { audienceCheck, check, named, signature, type TokenCheck, timeChecks } from '../claims/checks.ts';
import { claimGroups } from '../claims/claim-brief.ts';
import { issuanceOf } from '../claims/claim-origin.ts';
import { type ClaimRow, claimRows, headerRows, withAudience } from '../claims/claim-rows.ts';
import { claimsOf, readableToken } from '../claims/claim-values.ts';
import { rawParts } from '../claims/raw-parts.ts';
import type { DashboardFacts } from '../facts.ts';
import { changing, formOf } from '../form.ts';
import type { DashboardPage, PageContext } from '../page.ts';
import { acceptRule, canChangeRules, type LikePage, likeForm, likeThis } from './like-this.ts';
import { type Decoded, decoded, type Pasted, readPasted } from './pasted.ts';
import { type ClaimsDraft, canSign, signAgain } from './sign-again.ts';
import { type Verified, verifyWith } from './verify-with.ts';

interface DecodePage {
  readonly pasted: string;
  readonly expected: ExpectedToken;
  /** The pasted secret or key; it goes back into its field and nowhere else. */
  readonly verify: string;
  /** Why `verify` is no secret or key, a sentence for each cause. */
  readonly verifyProblems: readonly string[];
  readonly problem?: string;
  readonly notes: readonly string[];
  readonly tokens: readonly Awaited<ReturnType<typeof judge>>[];
  readonly draft?: ClaimsDraft;
  readonly like?: LikePage;
}

/** Wraps the model as a dashboard page. */
export function shownDecode(model: DecodePage, status = 200): DashboardPage {
  return {
    template: 'decode',
    title: 'Decode',
    nav: 'decode',
    model: { ...model, sheet: 'dashboard-page.css' },
    status,
  };
}

function emptyDecodePage(problem?: string): DecodePage {
  return { pasted: '', expected: {}, verify: '', verifyProblems: [], notes: [], tokens: [], problem };
}

/** Typed beside the token: what the API expects, and a secret or key to verify with. */
interface Beside {
  readonly expected?: ExpectedToken;
  readonly verify?: string;
}

/** Decodes all tokens in a pasted text and checks them. */
export async function decodePage(text: string, context: PageContext, beside: Beside = {}): Promise<DecodePage> {
  const { expected = {}, verify = '' } = beside;
  const pasted = readPasted(text);
  const read = await Promise.all(
    pasted.tokens.map(async each => {
      const token = decoded(each);
      const verified = isOwnSet(verify, context) ? undefined : await verifiedBy(token, verify);
      const verdict = verified !== undefined && 'check' in verified ? verified.check : undefined;
      return { verified, token: await judge(token, context, expected, verdict) };
    }),
  );
  const problems = read.flatMap(({ verified }) =>
    verified !== undefined && 'problem' in verified ? [verified.problem] : [],
  );
  const others = alreadyDecoded(pasted, context, expected);
  return {
    pasted: text,
    expected,
    verify,
    verifyProblems: [...new Set(problems)],
    notes: pasted.notes,
    tokens: [...read.map(({ token }) => token), ...others],
  };
}

/** The address of the JWK Set of this sandbox, whose keys are known anyway. */
function isOwnSet(verify: string, { endpoints, issuer }: Pick<DashboardFacts, 'endpoints' | 'issuer'>): boolean {
  const path = endpoints.find(({ name }) => name === 'jwks')?.path;
  return path !== undefined && verify.trim() === new URL(issuer).origin + path;
}

async function verifiedBy({ kind, text, header }: Decoded, verify: string): Promise<Verified | undefined> {
  return verify.trim() === '' || kind !== 'signed' || header === undefined
    ? undefined
    : verifyWith(text, header, verify);
}

async function judge(token: Decoded, context: PageContext, expected: ExpectedToken, verified?: TokenCheck) {
  const found = findOurs(token, context.events);
  const inside = insideOf(token, found);
  const signed = token.kind === 'signed' ? await signatureOf(token, context) : undefined;
  const { header = {}, claims = {} } = inside;
  const isReal = found !== undefined && (isSameToken(found, token.text) || (typeof signed === 'object' && signed.ok));
  const issued = isReal ? { tokenType: tokenTypeOf(found), client_id: found.client_id } : undefined;
  const judged = { header, claims, signed, verified, issued, now: context.clock(), expected };
  const verdict = inside.claims === undefined ? [] : verdictOf(judged, context);
  const ours = found === undefined ? undefined : oursOf(found, token, context);
  return {
    // `access_token`; empty if the pasted text does not name the token
    name: token.name,
    words: wordsFor(token, inside),
    problems: token.problems,
    broken: token.parts.filter(({ problems }) => problems.length > 0),
    ...rawOf(token, inside, verdict),
    type: issued?.tokenType ?? (looksLikeIdToken(claims) ? 'id' : 'access'),
    ...shownClaims(header, rowsOf(claims, isReal ? found : undefined, context), verdict),
    ...editOf(inside, context),
    ...(!isReal && likeOf(inside.claims, context)),
    verdict,
    state: ours?.isSame ? ours.status : stateOf(verdict),
    ...(ours === undefined ? {} : { ours }),
  };
}

/** The same words as for a token of this sandbox; empty if nobody can tell. */
function stateOf(verdict: readonly TokenCheck[]): string {
  if (verdict.some(({ name }) => name === 'expired')) return 'expired';
  const isSigned = verdict.some(({ name, level }) => name === 'signature' && level === 'pass');
  return isSigned && verdict.every(({ level }) => level !== 'fail') ? 'valid' : '';
}

/** A signed token in its three colours; of an encrypted one the names of its five parts. */
function rawOf({ kind, text, parts }: Decoded, inside: ReturnType<typeof insideOf>, verdict: readonly TokenCheck[]) {
  const { header = {}, claims = {} } = inside;
  if (kind !== 'signed') return { text, raw: [], parts };
  return { text, raw: rawParts({ header, claims, parts: parts.map(part => part.text) }, verdict), parts: [] };
}

function shownClaims(header: ParsedObject, rows: readonly ClaimRow[], verdict: readonly TokenCheck[]) {
  const claims = withAudience(rows, verdict);
  return { header: headerRows(header), claims, groups: claimGroups(claims) };
}

function editOf({ header = {}, claims }: { header?: ParsedObject; claims?: ParsedObject }, context: PageContext) {
  if (claims === undefined || !canSign(context)) return {};
  return { edit: { claims: JSON.stringify(claims, undefined, 2), header: JSON.stringify(header) } };
}

function likeOf(claims: ParsedObject | undefined, context: PageContext) {
  if (claims === undefined || !canChangeRules(context)) return {};
  return { like: likeForm(claims, looksLikeIdToken(claims), context) };
}

async function signatureOf({ text, parts }: Decoded, { verify }: PageContext): Promise<SignatureCheck | 'missing'> {
  return parts[2] === undefined || parts[2].text === '' ? 'missing' : verify(text);
}

/** The readable content. For an encrypted or opaque token of this server, the log has it. */
function insideOf(token: Decoded, ours: IssuedEvent | undefined): { header?: ParsedObject; claims?: ParsedObject } {
  const { header, claims } = token;
  if (token.kind === 'signed' || token.kind === 'part') {
    return { header, claims };
  }
  const signed = ours === undefined ? undefined : decodeJwt(readableToken(ours));
  const known = ours === undefined ? {} : claimsOf(ours);
  const shown = header ?? signed?.header;
  return {
    header: shown,
    ...(Object.keys(known).length === 0 ? {} : { claims: known }),
  };
}

function findOurs({ text, claims }: Decoded, events: EventLog): IssuedEvent | undefined {
  const { jti } = claims ?? {};
  return (
    events.issuedAs(text) ?? (typeof jti === 'string' ? events.issued(parseTokenIdentifier(jti).tokenId) : undefined)
  );
}

function isSameToken(event: IssuedEvent, text: string): boolean {
  return event.token === text || ('signed' in event && event.signed === text);
}

function oursOf(event: IssuedEvent, { text }: Decoded, { events, clock }: PageContext) {
  const status = createStatusOf(events, clock())(event);
  // if only the `jti` is the same, `isSame` is false
  return { tokenId: event.tokenId, title: tokenTitle(event), status, isSame: isSameToken(event, text) };
}

function rowsOf(claims: ParsedObject, ours: IssuedEvent | undefined, context: PageContext): ClaimRow[] {
  return claimRows(claims, context.clock(), ours === undefined ? undefined : issuanceOf(ours, claims, context));
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

function alreadyDecoded({ decoded: given }: Pasted, context: PageContext, expected: ExpectedToken) {
  if (given === undefined) return [];
  const { header = {}, claims } = given;
  const verdict = verdictOf({ header, claims, now: context.clock(), expected }, context);
  return [
    {
      name: '',
      words: 'Claims, not in a token',
      problems: [],
      broken: [],
      ...{ text: '', raw: [], parts: [], type: 'access' as const },
      ...shownClaims(header, rowsOf(claims, undefined, context), verdict),
      ...editOf(given, context),
      ...likeOf(claims, context),
      verdict,
      state: stateOf(verdict),
    },
  ];
}

type Rules = Pick<DashboardFacts, 'iss' | 'registered' | 'api'>;

interface Judged {
  readonly header: ParsedObject;
  readonly claims: ParsedObject;
  readonly signed?: SignatureCheck | 'missing' | undefined;
  /** By the pasted secret or key, which counts then. */
  readonly verified?: TokenCheck | undefined;
  readonly now: number;
  readonly expected?: ExpectedToken;
  /** The type and client of the token, if this server issued it and still remembers that. */
  readonly issued?: { readonly tokenType: string; readonly client_id: string } | undefined;
}

function verdictOf(judged: Judged, options: Rules): TokenCheck[] {
  return [
    ...comparedWith(judged.expected ?? {}, judged).map(({ member, isMet, text, reference }) =>
      check(`${member} as expected`, isMet ? 'pass' : 'fail', text, reference),
    ),
    ...signatureVerdict(judged, options),
    ...(judged.expected?.issuer === undefined ? issuer(judged, options) : []),
    ...timeChecks(judgeTimes(judged.claims, judged.now)),
    ...(judged.expected?.audience === undefined ? audience(judged, options) : []),
    // header parameters that a receiver must not trust, or that are missing (RFC 8725)
    ...algorithmWarnings(judged.header),
    ...fetchWarnings(judged.header),
    ...namingWarnings(judged.header),
  ];
}

/** An unknown key is an error only for a token that names this issuer. */
function signatureVerdict({ signed, verified, claims: { iss } }: Judged, options: Rules): TokenCheck[] {
  if (verified !== undefined) return [verified];
  if (signed === undefined) return [];
  if (signed === 'missing')
    return [check('no signature', 'fail', 'no signature: anybody could have written this token', 'RFC 7515 §5.2')];
  if (signed.ok || iss === undefined || iss === options.iss) return [signature(signed)];
  return [check('signature', 'note', `signature not verified: ${signed.why}`, 'RFC 7515 §5.2')];
}

/** A foreign token is none of this sandbox's, unless a key of this sandbox signed it. */
function issuer({ claims: { iss }, signed, verified }: Judged, options: Rules): TokenCheck[] {
  const judged = named('issuer', judgeIssuer(iss, options.iss));
  if (judged.level !== 'fail') return [judged];
  if (typeof signed === 'object' && signed.ok)
    return [{ ...judged, text: `${judged.text}. An API that compares iss refuses this token` }];
  const keys = verified === undefined ? ', and its keys are unknown here' : '';
  const text = `${judged.text}. A different server issued this token${keys}`;
  return [{ ...judged, level: 'note', text }];
}

/** A token of a different server need not name a receiver that is known here. */
function audience(judged: Judged, { iss, api, registered }: Rules): TokenCheck[] {
  const receivers = receiversOf(judged, api, registered());
  if (receivers === undefined) return [];
  const found = audienceCheck(judgeAudience(judged.claims, receivers));
  return [found.level === 'fail' && judged.claims.iss !== iss ? { ...found, level: 'note' } : found];
}

function algorithmWarnings({ alg }: ParsedObject): TokenCheck[] {
  const reference = 'RFC 8725 §3.1';
  if (alg === undefined) return [];
  if (typeof alg !== 'string') return [check('algorithm', 'fail', 'alg is not a string', reference)];
  if (alg.toLowerCase() === 'none')
    return [check('algorithm none', 'fail', 'alg is none: anybody could have written this token', reference)];
  if (/^HS\d/.test(alg)) {
    return [
      check(
        'shared secret',
        'warn',
        `alg is ${alg}: a server that can verify this token can also forge one, because both need the same secret`,
        reference,
      ),
    ];
  }
  return [];
}

function fetchWarnings(header: ParsedObject): TokenCheck[] {
  const named = ['jku', 'x5u', 'jwk', 'x5c'].filter(name => header[name] !== undefined);
  const proof = header.typ === 'dpop+jwt';
  const warned = named.filter(name => !(proof && name === 'jwk'));
  const crit = header.crit === undefined ? [] : [check('crit', 'warn', critWords(header.crit), 'RFC 7515 §4.1.11')];
  if (warned.length === 0) return crit;
  const text = `${warned.join(', ')} in the header: the token brings its own key. A receiver that uses it accepts forged tokens`;
  return [check('brings its own key', 'warn', text, 'RFC 8725 §3.10'), ...crit];
}

function critWords(crit: unknown): string {
  return `crit names ${[crit].flat().map(String).join(', ')}: a receiver that does not support this must refuse the token`;
}

function namingWarnings({ typ, kid, alg }: ParsedObject): TokenCheck[] {
  return [
    ...(typ === undefined
      ? [check('no typ', 'note', 'no typ: the token does not name its kind', 'RFC 8725 §3.11')]
      : []),
    ...(kid === undefined && alg !== 'none'
      ? [check('no kid', 'note', 'no kid: the token does not name its key', 'RFC 7515 §4.1.4')]
      : []),
  ];
}

/**
 * Routes of `/decode`. A pasted token, secret or key comes in a request body, so that no URL, history or log contains it: of requests
 * to the dashboard, only method, path and status are recorded.
 */
export function decodePages(router: Router, context: PageContext): void {
  router.get('/decode', (_req, res) => context.show(res, shownDecode(emptyDecodePage())));

  router.post('/decode', async (req, res) => {
    const form = await pastedIn(req);
    if (form === undefined) return context.show(res, shownDecode(emptyDecodePage(tooMuch), 413));
    await context.show(res, shownDecode(await decodePage(form.get('token') ?? '', context, besideIn(form))));
  });
  router.post('/decode/sign', (req, res) => sign(context, req, res));
  router.post('/decode/like', async (req, res) => showLike(context, await likeThis(context, await formOf(req)), res));
  router.post(
    '/decode/like/accept',
    changing(context, async (form, _req, res) => showLike(context, await acceptRule(context, form), res)),
  );
}

async function sign(context: PageContext, req: Request, res: Response): Promise<void> {
  const signed = await signAgain(context, await formOf(req));
  if (signed.ok) return context.show(res, shownDecode(await decodePage(signed.token, context)));
  await context.show(res, shownDecode({ ...emptyDecodePage(), draft: signed.draft }, 400));
}

async function showLike(context: PageContext, like: LikePage, res: Response): Promise<void> {
  await context.show(res, shownDecode({ ...emptyDecodePage(), like }, like.problems.length > 0 ? 400 : 200));
}

const tooMuch = 'The text is longer than 64 KiB. Paste only the token.';

function besideIn(form: URLSearchParams): Beside {
  const typed = (name: string) => form.get(name)?.trim() || undefined;
  const expected = defined({ issuer: typed('issuer'), audience: typed('audience'), typ: typed('typ') });
  return { expected, verify: form.get('verify') ?? '' };
}

async function pastedIn(req: Request): Promise<URLSearchParams | undefined> {
  try {
    return await formOf(req);
  } catch (error) {
    if (error instanceof OAuthError && error.status === 413) return undefined;
    throw error;
  }
}
