import { defined } from '../../base/defined.ts';
import type { SandboxEvent } from '../../base/events/event.ts';
import { recordIn } from '../../base/text/record.ts';
import { type RecordedRequest, requestIn } from '../../record/flows/recorded-request.ts';
import { isOurOwn } from '../../record/progress.ts';
import type { SandboxIssuer } from '../../sandbox/library/calls.ts';
import { send } from '../../server/wire/send.ts';
import type { Driver } from './driver.ts';
import type { CibaAnswer, Seen, Stage, Taken } from './exam-module.ts';

/** A stage, with what was seen on it. */
export interface SeenStage extends Stage {
  /** All that was seen since the stage was made. */
  seen(taken: Taken): Promise<Seen>;
  /** Ends the second issuer. */
  end(): void;
}

/** The app, as the stage of a module needs it. */
export interface StagedApp {
  readonly driver: Driver;
  readonly clientId: string;
  readonly redirectUri: string;
  /** Makes another issuer. */
  make(config?: object): Promise<{ readonly issuer: SandboxIssuer; stop(): void }>;
  decide(issuer: SandboxIssuer, answer: CibaAnswer): Promise<void>;
}

/**
 * The stage of one module: an issuer, and the app that its steps drive. What the issuer saw before does not count.
 */
export function createStage(issuer: SandboxIssuer, app: StagedApp, module: string): SeenStage {
  const { driver, clientId, redirectUri } = app;
  const { signIns, checks, ...steps } = stepsOf(issuer, driver, module);
  const { events } = issuer;
  const others: Awaited<ReturnType<StagedApp['make']>>[] = [];
  const begin = events.lastId;
  const armed = new Set<string>();
  return {
    ...steps,
    issuer,
    clientId,
    redirectUri,
    async another(config) {
      const other = await app.make(config);
      others.push(other);
      return other.issuer;
    },
    decide: answer => app.decide(issuer, answer),
    end() {
      for (const { stop } of others) stop();
    },
    metadata: () => ask(issuer, '/.well-known/openid-configuration'),
    endpoint: async (member, of = issuer) =>
      String(recordIn(await ask(of, '/.well-known/openid-configuration'))?.[member]),
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
        checks,
        elsewhere: others.flatMap(other => requestsSince(other.issuer, 0)),
        notices: noticesSince(issuer, begin),
        baited: requests.filter(({ facts }) => facts.some(fact => isOf(fact, armed))),
        at: endpoint => requests.filter(({ event }) => event.endpoint === endpoint),
      };
    },
  };
}

type Steps = Pick<Stage, 'signIn' | 'can' | 'signOut' | 'check'> & Pick<Seen, 'signIns' | 'checks'>;

/** The steps of the app, with the newest event at the beginning of those that modules ask about. */
function stepsOf(issuer: SandboxIssuer, { can, drive }: Driver, module: string): Steps {
  const signIns: number[] = [];
  const checks: number[] = [];
  return {
    signIns,
    checks,
    can,
    signIn(more) {
      if (more?.by === undefined) signIns.push(issuer.events.lastId);
      return drive(more?.by ?? issuer, { module, step: 'sign-in' }, more);
    },
    signOut: () => drive(issuer, { module, step: 'sign-out' }),
    check(open) {
      checks.push(issuer.events.lastId);
      return drive(issuer, { module, step: 'check', ...defined({ open }) });
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

function noticesSince({ events }: SandboxIssuer, begin: number): Seen['notices'] {
  const told = events.latest('logout.notified', Number.POSITIVE_INFINITY);
  return told.filter(({ id }) => id > begin).reverse();
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
