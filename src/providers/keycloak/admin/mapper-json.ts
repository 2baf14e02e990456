import { randomId } from '../../../protocol/random.ts';
import { membersIn, type Shape } from '../../management/members.ts';
import { inputInvalid, notServed } from '../../management/refusals.ts';

/** A mapper as the admin API sends and answers it (ProtocolMapperRepresentation.java). */
export type MapperJson = Readonly<Record<string, unknown>>;

/** The members of a mapper that are read. */
export const mapperShape = {
  name: 'text',
  protocol: 'text',
  protocolMapper: 'text',
  config: 'record',
} as const satisfies Shape;

/** Mappers that the sandbox runs, and those whose work the preset does by itself. */
const served = [
  'oidc-hardcoded-claim-mapper',
  'oidc-audience-mapper',
  'oidc-audience-resolve-mapper',
  'oidc-allowed-origins-mapper',
  'oidc-acr-mapper',
  'oidc-amr-mapper',
  'oidc-sub-mapper',
];

/**
 * The mappers of a body, each with an id.
 * @throws 501 for a kind that would do nothing
 */
export function mappersSent(sent: readonly MapperJson[]): readonly MapperJson[] {
  return sent.map(each => {
    const { name, protocolMapper = '', ...mapper } = membersIn(each, mapperShape);
    if (name === undefined || name === '') throw inputInvalid('a mapper has no name');
    if (!served.includes(protocolMapper))
      throw notServed(
        'Keycloak',
        `the mapper ${protocolMapper}`,
        `a mapper of the kind ${served.slice(0, 2).join(' or ')}`,
      );
    const id = typeof each.id === 'string' ? each.id : randomId();
    return { id, name, protocol: 'openid-connect', protocolMapper, consentRequired: false, ...mapper };
  });
}
