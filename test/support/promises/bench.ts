import { createBrowser } from './browser.ts';
import type { ClientKeys } from './client-keys.ts';
import { demand, NotExercised } from './demand.ts';
import { createHttp, type Door, type Http, type Identity } from './http.ts';
import { describe, type Json, jsonOf, listOf, textOf } from './json.ts';
import { openDocumentSite } from './site.ts';

/** The issuer that a client tries, with what the administrator of the client does there. */
export interface TestedIssuer {
  /** The address of the issuer. */
  readonly issuer: string;
  /** The issuer identifier. */
  readonly iss: string;
  readonly door: Door;
  /** Parameters that authorization requests need besides the usual ones. */
  readonly asks: Readonly<Record<string, string>> | undefined;
  /** A scope as token responses have it. */
  spokenScope(scope: string): string;
  /** A user who can sign in and has every claim. */
  readonly user: { readonly sub: string; readonly username: string; readonly password: string };
  /** The time of the server in Unix seconds. */
  readonly clock: () => number;
  /** The page on which users approve backchannel requests. The metadata does not name it. */
  readonly approvalsUrl: string;
  /**
   * Registers a client.
   * @throws if the metadata is invalid
   */
  register(metadata: Json): Promise<void>;
  /** Of the clients, and of the issuer whose assertions the server trusts (RFC 7523 §3). */
  readonly keys: ClientKeys;
  /** An API that a client acting for itself must name; absent: it need not name one. */
  readonly resource: string | undefined;
  /** Issues a client certificate. Absent without HTTPS. */
  readonly certify?: ((subjectDn: string) => Promise<Identity>) | undefined;
}

/** The tools and documents that the probes of one issuer share. */
export type Bench = Awaited<ReturnType<typeof createBench>>;

/**
 * Tests a promise as a client would use it. `value` is a value of the member's list, or the member itself as text.
 * @throws BrokenPromise, NotExercised
 */
export type Probe = (bench: Bench, value: string) => Promise<unknown>;

/** The promise in words, and its probe or a probe for each known value. */
export type PromiseCheck = readonly [promise: string, probe: Probe | Readonly<Record<string, Probe>>];

/**
 * Reads both metadata documents and starts the site of the clients.
 * @throws BrokenPromise if a document cannot be read
 */
export async function createBench(subject: TestedIssuer) {
  const http = createHttp(subject.issuer, subject.door);
  const identifier = subject.iss.startsWith(subject.issuer) ? subject.iss.replace(/\/$/, '') : subject.issuer;
  const site = await openDocumentSite();
  const close = async () => {
    http.close();
    await site.close();
  };
  try {
    const [metadata, oauthMetadata] = await Promise.all([
      readDocument(http, `${identifier}/.well-known/openid-configuration`),
      readDocument(http, inserted(identifier, 'oauth-authorization-server')),
    ]);
    return {
      subject,
      http,
      keys: subject.keys,
      site,
      /** The OpenID Connect metadata, which has all promises (OIDC Discovery 1.0 §3). */
      metadata,
      /** The OAuth metadata (RFC 8414 §2). */
      oauthMetadata,
      close,
      browser: () => createBrowser(http, subject.issuer),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A well-known URL with the name inserted before the path (RFC 8414 §3.1, RFC 9728 §3.1). */
export function inserted(identifier: string, name: string): string {
  const { origin, pathname } = new URL(identifier);
  return `${origin}/.well-known/${name}${pathname.replace(/\/$/, '')}`;
}

/**
 * Fetches a JSON document.
 * @throws BrokenPromise if the status is not 200 or the content is not a JSON object
 */
export async function readDocument(http: Http, url: string): Promise<Json> {
  const answer = await http.send(url);
  demand(answer.status === 200, `${url} answered ${describe(answer)}`);
  demand(/^application\/json\b/.test(answer.headers['content-type'] ?? ''), `${url} is not application/json`);
  return jsonOf(answer);
}

/** Whether the browser was led to a different server. */
export function isOutside({ subject }: Pick<Bench, 'subject'>, { url }: { readonly url: URL }): boolean {
  return url.origin !== new URL(subject.issuer).origin;
}

export function endpoint({ metadata }: Bench, member: string): string {
  // an issuer of tokens for jobs has no login
  if (!('authorization_endpoint' in metadata) && member === 'authorization_endpoint') {
    throw new NotExercised('the metadata has no authorization_endpoint');
  }
  return textOf(metadata, member);
}

export function offers({ metadata }: Bench, member: string, value: string): boolean {
  return listOf(metadata, member).includes(value);
}

export function isOn({ metadata }: Bench, member: string): boolean {
  return metadata[member] === true;
}

/** The first of `wanted` that a list in the metadata contains, otherwise the first of the list. */
export function preferred({ metadata }: Bench, member: string, wanted: readonly string[]): string {
  const offered = listOf(metadata, member);
  const found = wanted.find(value => offered.includes(value)) ?? offered[0];
  demand(found !== undefined, `${member} is empty`);
  return found;
}
