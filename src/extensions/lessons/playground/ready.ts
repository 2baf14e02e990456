import type { ReadyClient } from '../../catalogue/ready-client.ts';
import { clientOf } from './choices.ts';
import { type Grant, isRegisteredFor } from './grant.ts';
import { queryOf } from './page.ts';
import type { PlaygroundRoom } from './room.ts';
import type { PlaygroundState } from './states.ts';

/** The client of the catalogue with this id, if the issuer has no client with it. */
function missingReady(room: PlaygroundRoom, client_id: string): ReadyClient | undefined {
  if (clientOf(room, client_id) !== undefined) return undefined;
  return room.ready.find(({ settings }) => settings.client_id === client_id);
}

/** The issuer that the page asks, and a client that this issuer does not have. */
export function issuerModel(room: PlaygroundRoom, { grant, client_id }: PlaygroundState) {
  const { desk, home } = room;
  const missing = missingReady(room, client_id);
  return {
    issuer: desk.issuer,
    ready: choosable(room)
      .filter(client => fits(grant, client))
      .map(({ title, settings, needs }) => ({
        title,
        id: settings.client_id,
        needs: isHere(room, needs) ? '' : needs,
      })),
    ...(home === undefined ? {} : { home }),
    ...(missing === undefined
      ? {}
      : { missing: { needs: isHere(room, missing.needs) ? '' : missing.needs, canOpen: canOpen(room, missing) } }),
  };
}

/** Whether the sandbox has the setting that a client needs. The others are features that OAuth 2.1 removed. */
function isHere({ desk }: PlaygroundRoom, needs: string | undefined): boolean {
  return needs === undefined || (needs.startsWith('HTTPS') && desk.reach.scheme === 'https');
}

function canOpen(room: PlaygroundRoom, { settings, needs }: ReadyClient): boolean {
  return isHere(room, needs) && choosable(room).some(each => each.settings.client_id === settings.client_id);
}

function fits(grant: Grant, { settings }: ReadyClient): boolean {
  const isPublic = settings.token_endpoint_auth_method === 'none';
  return isRegisteredFor(grant, settings) && !(isPublic && grant.isConfidential);
}

/** The ready clients that this issuer lacks; none where the visitor cannot have an issuer with them. */
function choosable(room: PlaygroundRoom): readonly ReadyClient[] {
  if (room.visitors === undefined || room.desk.access !== 'on') return [];
  return room.ready.filter(({ settings }) => clientOf(room, settings.client_id) === undefined);
}

/**
 * The address of this state in the issuer of the visitor, which `open` creates if it is not running. Undefined for a client that is
 * here, or that the visitor cannot have.
 */
export async function elsewhere(
  room: PlaygroundRoom,
  visitor: string,
  { state, open }: { readonly state: PlaygroundState; readonly open: boolean },
): Promise<string | undefined> {
  const { visitors } = room;
  const client = missingReady(room, state.client_id);
  if (client === undefined || !canOpen(room, client)) return undefined;
  const issuer = open ? await visitors?.open(visitor) : visitors?.running(visitor);
  return issuer === undefined ? undefined : `${issuer}/playground/${state.grant.id}?${queryOf(room, state)}`;
}
