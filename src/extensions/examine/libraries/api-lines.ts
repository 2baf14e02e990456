import type { ApiValues } from '../../report/api/api-module.ts';

// The line to mend in an API, by library and module of the plan resource-server. Each name is one that the documentation or the
// source of that library has.

interface ApiLine {
  /** The ids of modules. */
  readonly modules: readonly string[];
  mend(wanted: ApiValues): string;
}

const algorithm = ['none', 'none-in-other-letters', 'hs256'];
const signature = ['tampered', 'wrong-key', 'empty-signature'];
const audience = ['audience', 'no-audience', 'audience-list'];
const issuer = ['issuer', 'no-issuer'];
const skew = ['expired-four-minutes', 'clock-skew', 'clock-skew-five-minutes'];
const type = ['id-token', 'typ-jwt'];
const scopes = ['scope', 'scope-part'];

const keysOf = ({ jwksUri }: ApiValues) => `createRemoteJWKSet(new URL('${jwksUri}'))`;

/** The lines of each library that `recognisedFetcher` names. */
export const apiLines: Readonly<Record<string, readonly ApiLine[]>> = {
  jose: [
    {
      modules: ['good'],
      mend: ({ issuer: iss, audience: aud, alg }) =>
        `jwtVerify(token, keys, { issuer: '${iss}', audience: '${aud}', typ: 'at+jwt', algorithms: ['${alg}'] })`,
    },
    {
      modules: ['garbage'],
      mend: () => 'Answer 401 where jwtVerify() throws errors.JOSEError, not 500',
    },
    {
      modules: [...signature, 'crit', 'expired', 'not-yet-valid'],
      mend: () => 'Read the claims from the payload of await jwtVerify(token, keys), and not from decodeJwt(token)',
    },
    { modules: algorithm, mend: ({ alg }) => `Give jwtVerify() algorithms: ['${alg}']` },
    { modules: audience, mend: ({ audience: aud }) => `Give jwtVerify() audience: '${aud}'` },
    { modules: issuer, mend: ({ issuer: iss }) => `Give jwtVerify() issuer: '${iss}'` },
    { modules: skew, mend: () => 'Give jwtVerify() clockTolerance: 60' },
    { modules: ['no-expiry'], mend: () => "Give jwtVerify() requiredClaims: ['exp']" },
    { modules: type, mend: () => "Give jwtVerify() typ: 'at+jwt'" },
    {
      modules: ['jwk', 'jku', 'unknown-kid'],
      mend: wanted => `Give jwtVerify() ${keysOf(wanted)}, and neither EmbeddedJWK nor a key of your own choice`,
    },
    {
      modules: ['rotated', 'keys-back'],
      mend: wanted =>
        `Make ${keysOf(wanted)} once for all calls: it fetches the keys again for an unknown kid, after cooldownDuration`,
    },
    {
      modules: ['keys-slow'],
      mend: () => 'Give createRemoteJWKSet() a timeoutDuration of some seconds, and answer 401 or 503 where it throws',
    },
    {
      modules: ['key-withdrawn'],
      mend: wanted => `Keep no keys beside ${keysOf(wanted)}, which replaces the whole set with each fetch`,
    },
    { modules: scopes, mend: ({ scope }) => `Require payload.scope.split(' ').includes('${scope}')` },
  ],
  'Spring Security': [
    {
      modules: ['no-token'],
      mend: () => 'Let authorizeHttpRequests() end with anyRequest().authenticated()',
    },
    {
      modules: ['token-in-query'],
      mend: () => 'Remove setAllowUriQueryParameter(true) from the DefaultBearerTokenResolver',
    },
    {
      modules: algorithm,
      mend: ({ alg }) => `Set spring.security.oauth2.resourceserver.jwt.jws-algorithms: ${alg}`,
    },
    {
      modules: audience,
      mend: ({ audience: aud }) => `Set spring.security.oauth2.resourceserver.jwt.audiences: ${aud}`,
    },
    {
      modules: issuer,
      mend: ({ issuer: iss }) =>
        `Set spring.security.oauth2.resourceserver.jwt.issuer-uri: ${iss}: jwk-set-uri alone does not compare iss`,
    },
    {
      modules: ['expired', 'not-yet-valid', ...skew],
      mend: () => 'Let the validators of the JwtDecoder have new JwtTimestampValidator(Duration.ofSeconds(60))',
    },
    {
      modules: ['no-expiry'],
      mend: () => 'Call setAllowEmptyExpiryClaim(false) on the JwtTimestampValidator of the JwtDecoder',
    },
    {
      modules: type,
      mend: () => 'Let the validators of the JwtDecoder have new JwtTypeValidator("at+jwt")',
    },
    { modules: ['scope'], mend: ({ scope }) => `Require hasAuthority("SCOPE_${scope}")` },
  ],
  'ASP.NET Core': [
    { modules: ['no-token'], mend: () => 'Call RequireAuthorization() on the endpoints, or set [Authorize]' },
    {
      modules: ['token-in-query'],
      mend: () => 'Set no Token from Request.Query in JwtBearerEvents.OnMessageReceived',
    },
    {
      modules: algorithm,
      mend: ({ alg }) => `Set options.TokenValidationParameters.ValidAlgorithms = ["${alg}"]`,
    },
    {
      modules: signature,
      mend: () => 'Remove SignatureValidator and RequireSignedTokens = false from options.TokenValidationParameters',
    },
    {
      modules: audience,
      mend: ({ audience: aud }) =>
        `Set options.Audience = "${aud}", and remove ValidateAudience = false from options.TokenValidationParameters`,
    },
    {
      modules: issuer,
      mend: ({ issuer: iss }) =>
        `Set options.TokenValidationParameters.ValidIssuer = "${iss}", and remove ValidateIssuer = false`,
    },
    {
      modules: ['expired', 'not-yet-valid'],
      mend: () => 'Remove ValidateLifetime = false and LifetimeValidator from options.TokenValidationParameters',
    },
    {
      modules: skew,
      mend: () =>
        'Set options.TokenValidationParameters.ClockSkew = TimeSpan.FromMinutes(1): its default is five minutes',
    },
    {
      modules: ['no-expiry'],
      mend: () => 'Remove RequireExpirationTime = false from options.TokenValidationParameters',
    },
    { modules: type, mend: () => 'Set options.TokenValidationParameters.ValidTypes = ["at+jwt"]' },
  ],
};

/** The line of a library for a module; undefined where none is known. */
export function apiLineOf(library: string, module: string, wanted: ApiValues): string | undefined {
  return apiLines[library]?.find(({ modules }) => modules.includes(module))?.mend(wanted);
}
