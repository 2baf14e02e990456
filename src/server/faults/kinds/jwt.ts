import type { ParsedObject } from '../../../protocol/json-parameter.ts';
import { type DefectKind, defects, withTimes } from '../defects.ts';
import type { FaultContext, FaultKind } from '../fault.ts';
import { type Defect, defectNames } from '../fault-names.ts';
import { forgeJwt } from '../forge-jwt.ts';

const jwt = { place: 'jwt', endpoints: ['token', 'authorize'], endpoint: 'token' } as const;
const both = ['access', 'id'] as const;

/** Faults of a JWT. Each breaks one check that an API or a client must make, like the defects of a minted token. */
export const jwtFaults: readonly FaultKind[] = [
  ...defectNames.map(name => kindOf(name, defects[name])),
  {
    ...jwt,
    name: 'multi_factor',
    title: 'Signed in with two factors',
    about: 'The token claims a second factor (`amr`, RFC 8176), although the user used none.',
    parameters: {},
    tokens: both,
    token: 'both',
    effect: {
      does: 'forge',
      forge: ({ key, typ, claims }) => forgeJwt({ key, typ, claims: { ...claims, amr: ['pwd', 'otp', 'mfa'] } }),
    },
  },
];

function kindOf(name: Defect, kind: DefectKind): FaultKind {
  const { title, about, tokens = both } = kind;
  return {
    ...jwt,
    name,
    title,
    about,
    tokens,
    parameters: name === 'missing_claim' ? { member: 'exp' } : {},
    effect: {
      does: 'forge',
      forge: ({ key, typ, claims }, context) =>
        forgeJwt({ key, typ, claims: wrongClaims(kind, claims, context), defect: name }),
    },
  };
}

function wrongClaims(kind: DefectKind, claims: ParsedObject, { now, parameters }: FaultContext): ParsedObject {
  const { iat, exp } = claims;
  const isTimed = kind.times !== undefined && typeof iat === 'number' && typeof exp === 'number';
  const timed = isTimed ? withTimes(claims, kind.times({ iat, exp }, now)) : claims;
  return kind.claims?.(timed, parameters.member) ?? timed;
}
