import { defined } from '../../base/defined.ts';
import type { ClaimRule } from '../../protocol/dialects/claim-rules.ts';
import type { DialectData, MetadataForm } from '../../protocol/dialects/dialect-data.ts';
import type { ProviderPreset } from '../../sandbox/provider.ts';
import { shapePreset } from '../shapes/claim-shape.ts';

/**
 * An issuer whose tokens say which job or machine asks: no user logs in. A client is a job, its `access_token_claims` are the
 * claims of the job, and it gets its token by the grant `client_credentials`.
 */
interface Workload extends Omit<ProviderPreset, 'dialect' | 'paths'> {
  /** The path of the keys below the issuer. */
  readonly jwks: string;
  /** Claims of a job that its client does not set. `${options.name}` is an option of the preset. */
  readonly usual: Readonly<Record<string, unknown>>;
  /** Claims made of the others, such as `sub`. `${claims.name}` is a claim so far. */
  readonly made: readonly ClaimRule[];
  /** The audience is always a list. */
  readonly listsAudience?: true;
}

/** A preset of an issuer for jobs. */
export function workloadPreset(workload: Workload): ProviderPreset {
  const { jwks, usual, made, listsAudience, ...preset } = workload;
  const forms = { accessToken: jobToken(workload) };
  return shapePreset({ ...preset, metadata: metadataOf(workload), forms, paths: { jwks } });
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
function metadataOf({ usual }: Workload): MetadataForm {
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
  };
}
