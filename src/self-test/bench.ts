import type { JWK } from 'jose';
import { type Browser, createBrowser } from './browser.ts';
import { type ClientKeys, createClientKeys } from './client-keys.ts';
import { demand } from './demand.ts';
import { createHttp, type Door, type Http, type Identity } from './http.ts';
import { describe, type Json, jsonOf, listOf, textOf } from './json.ts';
import { createSite, type Site } from './site.ts';

/** The issuer that is tested, and what its keeper can do for the test that no client can. */
export interface TestedIssuer {
  readonly issuer: string;
  readonly door: Door;
  /** Somebody who can sign in, and has every claim. */
  readonly user: { readonly sub: string; readonly username: string; readonly password: string };
  /** The server's idea of now, in Unix seconds. */
  readonly clock: () => number;
  /** The page where users decide about backchannel requests, which no document names. */
  readonly approvalsUrl: string;
  /** Where registration asks for one. */
  readonly initialAccessToken?: string;
  /** What a request of authorization details of each type may look like (RFC 9396 §2). */
  readonly exampleDetails: ReadonlyMap<string, Json>;
  /** @throws where the metadata is not good */
  register(metadata: Json): Promise<void>;
  /** Believes the JWTs of somebody else from now on (RFC 7523 §3). */
  trust(issuer: string, jwks: { readonly keys: readonly JWK[] }): void;
  /** A client certificate, and whether the server trusts its CA. Absent where there is no HTTPS. */
  readonly certify?: (subjectDn: string) => Promise<{ readonly identity: Identity; readonly isTrusted: boolean }>;
}

/** What the probes of one issuer work with. */
export interface Bench {
  readonly subject: TestedIssuer;
  readonly http: Http;
  readonly keys: ClientKeys;
  readonly site: Site;
  /** OpenID Connect Discovery 1.0 §3: all that is promised. */
  readonly metadata: Json;
  /** RFC 8414 §2. */
  readonly oauthMetadata: Json;
  /** Does something once, whichever checks need it. */
  once<T>(name: string, work: () => Promise<T>): Promise<T>;
  browser(): Browser;
  close(): Promise<void>;
}

/**
 * Does what a client would; `value` is one of the member's list, or the member itself as text.
 * @throws BrokenPromise, NotExercised
 */
export type Probe = (bench: Bench, value: string) => Promise<unknown>;

/** The promise in words, without the value; and the probe of it, or one for each value that is known. */
export type PromiseCheck = readonly [promise: string, probe: Probe | Readonly<Record<string, Probe>>];

/** @throws BrokenPromise where a document does not answer */
export async function createBench(subject: TestedIssuer): Promise<Bench> {
  const http = createHttp(subject.issuer, subject.door);
  const done = new Map<string, Promise<unknown>>();
  const site = await createSite();
  const close = async () => {
    http.close();
    await site.close();
  };
  try {
    const [keys, metadata, oauthMetadata] = await Promise.all([
      createClientKeys(),
      readDocument(http, `${subject.issuer}/.well-known/openid-configuration`),
      readDocument(http, inserted(subject.issuer, 'oauth-authorization-server')),
    ]);
    return {
      subject,
      http,
      keys,
      site,
      metadata,
      oauthMetadata,
      close,
      once<T>(name: string, work: () => Promise<T>) {
        const begun = (done.get(name) as Promise<T> | undefined) ?? work(); // of one name there is one kind of work
        done.set(name, begun);
        return begun;
      },
      browser: () => createBrowser(http, subject.issuer),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** RFC 8414 §3.1, RFC 9728 §3.1: the well-known name stands before the path. */
export function inserted(identifier: string, name: string): string {
  const { origin, pathname } = new URL(identifier);
  return `${origin}/.well-known/${name}${pathname.replace(/\/$/, '')}`;
}

export async function readDocument(http: Http, url: string): Promise<Json> {
  const answer = await http.send(url);
  demand(answer.status === 200, `${url} answered ${describe(answer)}`);
  demand(/^application\/json\b/.test(answer.headers['content-type'] ?? ''), `${url} is not application/json`);
  return jsonOf(answer);
}

/** The address of an endpoint that is advertised. */
export function endpoint({ metadata }: Bench, member: string): string {
  return textOf(metadata, member);
}

/** Whether a list of the metadata has a value. */
export function offers({ metadata }: Bench, member: string, value: string): boolean {
  return listOf(metadata, member).includes(value);
}

/** Whether a flag of the metadata is set. */
export function isOn({ metadata }: Bench, member: string): boolean {
  return metadata[member] === true;
}

/** The first of these that a list of the metadata has, or the first it has. */
export function preferred({ metadata }: Bench, member: string, wanted: readonly string[]): string {
  const offered = listOf(metadata, member);
  const found = wanted.find(value => offered.includes(value)) ?? offered[0];
  demand(found !== undefined, `${member} is empty`);
  return found;
}
