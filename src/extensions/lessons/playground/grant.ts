import type { EndpointRoute } from '../../../server/http/route.ts';

/** A parameter or header of a request. */
export interface StepField {
  readonly name: string;
  /** A template: `{code}` is replaced by the value of that name. */
  readonly value: string;
  /** One sentence about its purpose. */
  readonly why: string;
  /** `RFC 6749 §4.1.1` */
  readonly rfc: string;
  /** Default: a parameter. `claim`: in the request object (RFC 9101). `handshake`: a certificate that TLS shows (RFC 8705). */
  readonly in?: 'header' | 'claim' | 'handshake';
}

/** One request of a grant, sent by the page or by the browser of the learner. */
export interface Step {
  readonly id: string;
  readonly title: string;
  readonly story: string;
  /** `visit`: a link to a page of the server. `return`: the server also redirects back to the callback. */
  readonly by: 'page' | 'visit' | 'return';
  readonly method: 'GET' | 'POST';
  readonly endpoint: EndpointRoute['name'];
  /** Whether the client authenticates with its registered method. */
  readonly authenticates?: true;
  readonly fields: readonly StepField[];
  /** Members of the answer that become values, by the name of the value. */
  readonly reads?: Readonly<Record<string, string>>;
}

/** The values of `grant_type` that a client of this grant sends. */
export function grantTypesOf({ steps }: Pick<Grant, 'steps'>): readonly string[] {
  return steps.flatMap(({ fields }) => fields.flatMap(({ name, value }) => (name === 'grant_type' ? [value] : [])));
}

/** A client as the catalogue or the server knows it. */
interface GrantClient {
  readonly grant_types?: readonly string[];
  readonly require_pushed_authorization_requests?: boolean;
}

/** Whether a client is registered for all requests of a grant. */
export function isRegisteredFor(grant: Grant, client: GrantClient): boolean {
  const { grant_types = [], require_pushed_authorization_requests: mustPush } = client;
  const endpoints = grant.steps.map(({ endpoint }) => endpoint);
  if (mustPush && endpoints.includes('authorize') && !endpoints.includes('par')) return false;
  return grantTypesOf(grant).every(type => grant_types.includes(type));
}

/** A grant as guided steps. */
export interface Grant {
  /** In the address: `/playground/<id>`. */
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly rfc: string;
  readonly scope: string;
  /** Whether the grant needs a client with credentials. */
  readonly isConfidential?: true;
  readonly steps: readonly Step[];
}
