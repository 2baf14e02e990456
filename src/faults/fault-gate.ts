import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { Tampering } from '../oauth/tampering.ts';
import type { Faults } from './faults.ts';
import { magicOf } from './standing.ts';

/** Decides for each request, at next to no cost, whether anything could happen to it. The faults are loaded when one could. */
export interface FaultGate {
  /** Undefined where nothing can go wrong; `asked` is the request's own header. */
  open(asked: string | undefined): Promise<Faults> | undefined;
  get(): Promise<Faults>;
  /** Undefined until somebody has asked for them. */
  loaded(): Faults | undefined;
  readonly tampering: Tampering;
}

export interface FaultGateOptions {
  readonly load: () => Promise<Faults>;
  readonly clients: AuthorizationServer['clients'];
  readonly users: AuthorizationServer['users'];
  /** Another number when clients or users have changed. */
  readonly changes: () => number;
}

export function createFaultGate({ load, clients, users, changes }: FaultGateOptions): FaultGate {
  let loading: Promise<Faults> | undefined;
  let loaded: Faults | undefined;
  let seen = '';
  let isStanding = false;

  function get(): Promise<Faults> {
    loading ??= load().then(faults => {
      loaded = faults;
      return faults;
    });
    return loading;
  }
  /** Whether a client has faults in its configuration, or a user in their name: looked up when there are others. */
  function standing(): boolean {
    const now = `${clients.size} ${users.size} ${changes()}`;
    if (now === seen) return isStanding;
    seen = now;
    isStanding =
      [...clients.values()].some(({ faults = [] }) => faults.length > 0) ||
      [...users.values()].some(user => magicOf(namesOf(user)) !== undefined);
    return isStanding;
  }
  function open(asked: string | undefined): Promise<Faults> | undefined {
    const isArmed = loaded !== undefined && loaded.armed.list().length > 0;
    return isArmed || asked !== undefined || standing() ? get() : undefined;
  }
  return {
    open,
    get,
    loaded: () => loaded,
    tampering: {
      jwt(draft) {
        const isUnderway = loaded?.isUnderway(draft.emit) === true; // the last of its budget has been charged already
        return (isUnderway ? get() : open(undefined))?.then(faults => faults.tampering.jwt(draft));
      },
    },
  };
}

/** What a user is called: subject, username, e-mail address. */
export function namesOf({
  sub,
  username,
  claims,
}: {
  sub: string;
  username: string;
  claims: object;
}): readonly string[] {
  const email = 'email' in claims ? claims.email : undefined;
  return [sub, username, ...(typeof email === 'string' ? [email] : [])];
}
