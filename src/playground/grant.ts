import type { EndpointRoute } from '../http/route.ts';

/** A parameter or header of a request. */
export interface StepField {
  readonly name: string;
  /** A template: `{code}` is replaced by the value of that name. */
  readonly value: string;
  /** One sentence about its purpose. */
  readonly why: string;
  /** `RFC 6749 §4.1.1` */
  readonly rfc: string;
  readonly isHeader?: true;
}

/** One request of a grant: sent by the page, or by the browser of the learner. */
export interface Step {
  readonly id: string;
  readonly title: string;
  readonly story: string;
  /** `visit`: a link to a page of the server. `return`: the same, and the server sends the browser back to the callback. */
  readonly by: 'page' | 'visit' | 'return';
  readonly method: 'GET' | 'POST';
  readonly endpoint: EndpointRoute['name'];
  /** Whether the client authenticates as it is registered. */
  readonly authenticates?: true;
  readonly fields: readonly StepField[];
  /** Members of the answer that become values, by the name of the value. */
  readonly reads?: Readonly<Record<string, string>>;
}

/** A grant as guided steps. */
export interface Grant {
  /** In the address: `/playground/<id>`. */
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly rfc: string;
  /** The value for `grant_types` that a client must be registered for. */
  readonly grantType: string;
  readonly scope: string;
  /** Whether it needs a client with credentials. */
  readonly isConfidential?: true;
  readonly steps: readonly Step[];
}
