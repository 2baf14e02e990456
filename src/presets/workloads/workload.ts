import { defined } from '../../defined.ts';
import type { EndpointRoute } from '../../http/route.ts';
import type { Unserved } from '../../http/unknown-path.ts';
import type { ClaimRule } from '../../oauth/dialects/claim-rules.ts';
import type { DialectData } from '../../oauth/dialects/dialect-data.ts';
import type { PresetOptions, PresetPlace, ProviderPreset } from '../preset.ts';
import type { PresetName } from '../preset-names.ts';

/**
 * An issuer whose tokens say which job or machine asks: no user logs in. A client is a job, its `access_token_claims` are the
 * claims of the job, and it gets its token by the grant `client_credentials`.
 */
export interface Workload {
  readonly name: PresetName;
  /** The name of the provider for people. */
  readonly title: string;
  issuerPath?(options: PresetOptions): string;
  /** The path of the keys below the issuer. */
  readonly jwks: string;
  /** Claims of a job that its client does not set. `${options.name}` is an option of the preset. */
  readonly usual: Readonly<Record<string, unknown>>;
  /** Claims made of the others, such as `sub`. `${claims.name}` is a claim so far. */
  readonly made: readonly ClaimRule[];
  /** The audience is always a list. */
  readonly listsAudience?: true;
  routes?(place: PresetPlace): readonly EndpointRoute[];
  readonly unserved?: readonly Unserved[];
}

/** A preset of an issuer for jobs. */
export function workloadPreset(workload: Workload): ProviderPreset {
  const { name, title, issuerPath, jwks, routes, unserved = [] } = workload;
  return {
    title,
    issuerPath: issuerPath ?? (() => ''),
    dialect: options => ({
      name,
      options,
      metadata: metadataOf(workload),
      forms: { accessToken: jobToken(workload) },
      accessTokenType: 'JWT',
      errors: {},
    }),
    paths: { jwks },
    routes: routes ?? (() => []),
    unserved,
  };
}

/** Configured values of a job replace the usual values, and values derived from others. */
function jobToken({ usual, made, listsAudience }: Workload): NonNullable<DialectData['forms']['accessToken']> {
  const given = { when: 'client.access_token_claims', claims: { '...': '${client.access_token_claims}' } };
  return {
    omit: ['client_id', 'scope'],
    ...defined({ listsAudience }),
    rules: [{ claims: usual }, given, ...made, given, { claims: { aud: ['${...audience}'] } }],
  };
}

/** The document is for those who verify tokens, so it has little but the keys. The token endpoint is for jobs of the sandbox. */
function metadataOf({ usual }: Workload): DialectData['metadata'] {
  return {
    add: {
      claims_supported: ['sub', 'aud', 'exp', 'iat', 'iss', 'jti', 'nbf', ...Object.keys(usual)],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      response_types_supported: ['id_token'],
      scopes_supported: ['openid'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['${signingAlg}'],
    },
    keep: ['issuer', 'jwks_uri', 'token_endpoint'],
    omit: [],
  };
}
