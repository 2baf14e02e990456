import { isRecord } from '../../base/text/record.ts';
import type { Route } from '../../server/http/route.ts';
import type { Extension } from '../extension.ts';
import type { Document } from './documents.ts';
import { type ConfigProblem, toProblem } from './problem.ts';
import { registrationMembers } from './registration.ts';
import type { SettingSources } from './setting-values.ts';
import type { Setting } from './settings.ts';
import { unknownMembers } from './unknown-members.ts';

/** An entry of `issuers`: a document that overrides the members of the first issuer. */
export interface IssuerDocument {
  /** `/tenant-a` */
  readonly path: string;
  readonly document: Document;
}

/** Members an issuer beside the first may set; the others belong to the whole sandbox. */
export function issuerMembers(table: readonly Setting[]): readonly string[] {
  const own = table.filter(({ inFile, isWhole }) => inFile && isWhole !== true);
  return [...registrationMembers, ...own.map(({ name }) => name)];
}

const ownSegments: readonly string[] = [
  '.well-known',
  '_sandbox',
  'api',
  'approvals',
  'assets',
  'connect',
  'consent',
  'dashboard',
  'health',
  'i',
  'login',
  'logout',
  'oauth2',
  'ready',
  'tls',
  'userinfo',
];

/** Something that answers at public paths and at those of its pages. */
interface WithPaths {
  readonly routes?: readonly Pick<Route, 'path' | 'methods'>[];
  readonly pages?: readonly { readonly path: string }[];
}

/**
 * First segments of paths of the sandbox itself and of its extensions. Only issuers that an extension makes for itself have the paths
 * that are in no list of endpoints.
 */
export function reservedSegments(extensions: readonly WithPaths[]): ReadonlySet<string> {
  const added = extensions.flatMap(({ routes = [], pages = [] }) => [
    ...routes.filter(({ methods }) => methods.length > 0),
    ...pages,
  ]);
  return new Set([...ownSegments, ...added.map(({ path }) => path.split('/')[1] ?? '')]);
}

/**
 * Paths below the first segment `oauth2` that the endpoints of an issuer at the root have. Providers have issuers beside
 * them, such as `/oauth2/default`.
 */
const ownEndpoints = /^\/oauth2(?:$|\/(?:authorize|token|jwks|introspect|revoke|par|device_|bc-|v\d|userInfo|idp))/;

export interface IssuerSources extends SettingSources {
  readonly extensions: readonly Extension[];
}

export interface IssuerDocuments {
  readonly issuers: readonly IssuerDocument[];
  readonly problems: readonly ConfigProblem[];
}

/**
 * The issuers in the documents, strongest document first, and the problems of their form. `first` is the path of the
 * first issuer, if it has one.
 */
export function readIssuers(
  documents: readonly Document[],
  first: string,
  { table, extensions }: IssuerSources,
): IssuerDocuments {
  const naming = documents.find(({ content }) => content.issuers !== undefined);
  if (naming === undefined) return { issuers: [], problems: [] };
  const { name, content, folder } = naming;
  if (!isRecord(content.issuers)) {
    const expected = 'an object of issuers by path';
    return { issuers: [], problems: [toProblem(name, { path: ['issuers'], value: content.issuers, expected })] };
  }
  const reserved = reservedSegments(extensions);
  const issuers: IssuerDocument[] = [];
  const problems: ConfigProblem[] = [];
  for (const [key, entry] of Object.entries(content.issuers)) {
    const path = key.startsWith('/') ? key : `/${key}`;
    const at = ['issuers', key];
    const problem = pathProblem(path, issuers, first, reserved);
    if (problem !== undefined) problems.push(toProblem(name, { path: at, value: key, expected: problem }));
    if (!isRecord(entry)) problems.push(toProblem(name, { path: at, value: entry, expected: 'an object' }));
    else {
      const document = {
        name: `${name}: issuers[${JSON.stringify(key)}]`,
        content: entry,
        isOverride: true,
        folder,
      } as const;
      problems.push(...unknownOfIssuer(document, issuerMembers(table)));
      issuers.push({ path, document });
    }
  }
  return { issuers, problems };
}

function pathProblem(
  path: string,
  others: readonly IssuerDocument[],
  first: string,
  reserved: ReadonlySet<string>,
): string | undefined {
  if (!/^(\/[A-Za-z0-9._~-]+)+$/.test(path)) return 'a path of letters, digits and . _ ~ - such as tenant-a';
  const segments = path.split('/');
  if (segments.includes('.') || segments.includes('..')) return 'a path without dot segments';
  if (reserved.has(segments[1] ?? '') && (segments[1] !== 'oauth2' || ownEndpoints.test(path)))
    return `a different path: /${segments[1]} belongs to the sandbox itself`;
  // realms of Keycloak are below its base path, where the first issuer serves nothing
  if (first !== '' && `${path}/`.startsWith(`${first}/`) && !path.startsWith(`${first}/realms/`))
    return `a path outside ${first}, the path of the first issuer`;
  const nested = others.find(
    other => `${path}/`.startsWith(`${other.path}/`) || `${other.path}/`.startsWith(`${path}/`),
  );
  return nested === undefined
    ? undefined
    : `a path that neither contains ${nested.path} nor is inside it: that is the path of a different issuer`;
}

/** Unknown members of an issuer beside the first. */
export function unknownOfIssuer(document: Document, known: readonly string[]): ConfigProblem[] {
  const expected = 'a setting that an issuer can have; this one is set once for the whole sandbox';
  return unknownMembers(document, known, expected);
}
