import type { SandboxEvent } from '../../base/events/event.ts';
import { recordIn } from '../../base/text/record.ts';
import { type RecordedRequest, requestIn } from '../../record/flows/recorded-request.ts';
import { isOurOwn } from '../../record/progress.ts';
import type { SandboxIssuer } from '../../sandbox/library/calls.ts';
import { send } from '../../server/wire/send.ts';
import type { Seen, Stage, Taken } from './exam-module.ts';

/** A stage, with what was seen on it. */
export interface SeenStage extends Stage {
  /** All that was seen since the stage was made. */
  seen(taken: Taken): Promise<Seen>;
}

/**
 * The stage of one module: an issuer, and the app that `signIn` drives. What the issuer saw before does not count.
 */
export function createStage(issuer: SandboxIssuer, clientId: string, signIn: () => Promise<Taken>): SeenStage {
  const { events } = issuer;
  const begin = events.lastId;
  const armed = new Set<string>();
  const signIns: number[] = [];
  return {
    issuer,
    clientId,
    signIn() {
      signIns.push(events.lastId);
      return signIn();
    },
    endpoint: async member => String(recordIn(await ask(issuer, '/.well-known/openid-configuration'))?.[member]),
    async arm(fault) {
      const { id } = await issuer.faults.arm({ times: 'always', ...fault });
      armed.add(id);
    },
    async seen(taken) {
      await ask(issuer, '/health'); // answered after all that the app was answered, so that the log has it
      const requests = requestsSince(issuer, begin);
      return {
        ...taken,
        requests,
        signIns,
        baited: requests.filter(({ facts }) => facts.some(fact => isOf(fact, armed))),
        at: endpoint => requests.filter(({ event }) => event.endpoint === endpoint),
      };
    },
  };
}

/** A request of the examiner itself to its own process, which is not one of the app. */
async function ask({ issuer }: SandboxIssuer, path: string): Promise<string> {
  const headers = { 'Grantbox-Tool': 'examine' };
  return (await send(issuer + path, { headers, timeoutSeconds: 10, rejectUnauthorized: false })).text;
}

function isOf(fact: SandboxEvent, armed: ReadonlySet<string>): boolean {
  return fact.type === 'fault.applied' && fact.faultId !== undefined && armed.has(fact.faultId);
}

/** The requests of the app since an event, oldest first. */
export function requestsSince({ events }: SandboxIssuer, begin: number): readonly RecordedRequest[] {
  const completed = events
    .latest('request.completed', Number.POSITIVE_INFINITY)
    .filter(({ id, endpoint }) => id > begin && !isOurOwn(endpoint));
  return completed
    .reverse()
    .flatMap(({ requestId }) => requestIn(events.ofRequest(requestId)) ?? [])
    .filter(request => request.header('grantbox-tool') === undefined);
}
