import {
  at,
  type ExportPart,
  flagIn,
  ignores,
  lose,
  reads,
  recordsIn,
  tellLost,
  textIn,
  type UseTable,
  valueIn,
} from '../members.ts';
import { claimPath } from './claim-path.ts';
import { type MapperConfig, type MapperKind, mapperKinds } from './mapper-kinds.ts';

/** A protocol mapper of a client or of a client scope. */
export interface Mapper {
  readonly found: ExportPart;
  readonly kind: Exclude<MapperKind, 'preset' | 'note' | { readonly lost: string }>;
  readonly config: MapperConfig;
  readonly claim: readonly string[];
  /** `jsonType.label` */
  readonly type: string | undefined;
  readonly isList: boolean;
  /** Where the claim is. */
  readonly access: boolean;
  readonly idToken: boolean;
  readonly userinfo: boolean;
}

const mapperUses: UseTable = {
  ...reads('protocol protocolMapper config'),
  ...ignores('id name consentRequired consentText'),
};

const configUses: UseTable = {
  ...reads('user.attribute claim.name claim.value jsonType.label multivalued aggregate.attrs full.path'),
  ...reads('access.token.claim id.token.claim userinfo.token.claim included.client.audience included.custom.audience'),
  ...reads('usermodel.realmRoleMapping.rolePrefix usermodel.clientRoleMapping.clientId'),
  ...reads('usermodel.clientRoleMapping.rolePrefix user.attribute.formatted user.attribute.street'),
  ...reads('user.attribute.locality user.attribute.region user.attribute.postal_code user.attribute.country'),
  ...ignores('introspection.token.claim lightweight.claim'),
  'access.tokenResponse.claim': { lost: 'token responses have no claims' },
};

/** Notes of a session that the preset or the protocol brings by itself. */
const knownNotes = ['AUTH_TIME', 'clientId', 'client_id', 'clientHost', 'clientAddress', 'acr'];

/** Reads `protocolMappers`, and tells of those that do nothing here. */
export function readMappers(found: ExportPart): readonly Mapper[] {
  return recordsIn(found).flatMap(each => {
    tellLost(each, mapperUses, 'a mapper');
    const name = textIn(at(each, 'protocolMapper')) ?? '';
    const kind = Object.hasOwn(mapperKinds, name) ? mapperKinds[name] : undefined;
    const config = configOf(at(each, 'config'));
    const lost = lostBy(kind, config, name);
    if (lost !== undefined) lose(each, lost);
    if (kind === undefined || kind === 'preset' || kind === 'note' || isLost(kind)) {
      valueIn(each);
      return [];
    }
    tellLost(at(each, 'config'), configUses, 'a mapper');
    return [mapperOf(each, kind, config)];
  });
}

function lostBy(kind: MapperKind | undefined, config: MapperConfig, name: string): string | undefined {
  if (kind === undefined) return `mappers of the kind ${JSON.stringify(name.slice(0, 80))} are not known`;
  if (kind === 'note')
    return knownNotes.includes(config('user.session.note') ?? '') ? undefined : 'notes of a session are in no token';
  return isLost(kind) ? kind.lost : undefined;
}

function isLost(kind: MapperKind): kind is { readonly lost: string } {
  return typeof kind === 'object' && 'lost' in kind;
}

function mapperOf(found: ExportPart, kind: Mapper['kind'], config: MapperConfig): Mapper {
  const fallback = typeof kind === 'object' ? kind : undefined;
  const isOn = (name: string, otherwise: boolean) => flagIn({ ...at(at(found, 'config'), name) }) ?? otherwise;
  const idToken = isOn('id.token.claim', false);
  return {
    found,
    kind,
    config,
    claim: claimPath(fallback?.name ?? (kind === 'address' ? 'address' : (config('claim.name') ?? ''))),
    type: config('jsonType.label'),
    isList: config('multivalued') === 'true' || (config('multivalued') === undefined && fallback?.isList === true),
    // older exports have no switch for the audience
    access: isOn('access.token.claim', kind === 'audience'),
    idToken,
    userinfo: isOn('userinfo.token.claim', idToken),
  };
}

function configOf(found: ExportPart): MapperConfig {
  return name => {
    const value = valueIn(at(found, name));
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
}
