import { defined } from '../../base/defined.ts';
import { inTurns } from '../../base/turns.ts';
import type { ProblemIndex } from '../../record/problems/problem.ts';
import { createProblemIndex } from '../../record/problems/problem-index.ts';
import { ownSettings } from '../../sandbox/config/settings.ts';
import type { Issuer } from '../../sandbox/extension.ts';
import { knownOf } from '../../sandbox/front/front.ts';
import type { MessageSources, ProblemFinder } from './messages.ts';
import type { webhookSettings } from './settings.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

/** Webhooks of one issuer, which tell of events after this id. */
export function loadWebhooks(issuer: Issuer, after: number): Webhooks {
  const { config, server, events, sandbox } = issuer;
  return createWebhooks({
    issuer: server.issuer,
    events,
    store: server.store,
    outbound: server.outbound,
    clock: server.clock,
    after,
    ...entriesOf(issuer),
    problems: problemsOf(issuer),
    configured: () => ownSettings<typeof webhookSettings>(config).webhooks,
    onError: error => sandbox.log.error(error, 'sandbox'),
  });
}

/** Users and clients as a message has them: without passwords, secrets and keys. */
function entriesOf({ server: { users, clients } }: Issuer): Pick<MessageSources, 'user' | 'client'> {
  return {
    user(sub) {
      const found = users.get(sub);
      return found && { username: found.username, claims: found.claims };
    },
    client(client_id) {
      const found = clients.get(client_id);
      if (found === undefined) return undefined;
      const { client_name, grant_types, redirect_uris, scope } = found;
      return defined({ client_name, grant_types, redirect_uris, scope });
    },
  };
}

function problemsOf(issuer: Issuer): MessageSources['problems'] {
  const { server, events } = issuer;
  // without detectors of silence: a message is sent for what happened
  const index = createProblemIndex(knownOf(issuer, new URL(server.issuer).pathname.replace(/\/$/, '')), []);
  const isRefused = (requestId: string) => events.ofRequest(requestId).some(({ type }) => type === 'error.returned');
  return createProblemFinder(index, isRefused, issuer.explanationOf);
}

/** `isRefused` is a quick look at the log, because most requests cause no problem. */
function createProblemFinder(
  problems: ProblemIndex,
  isRefused: (requestId: string) => boolean,
  pageOf: (id: string) => string | undefined,
): ProblemFinder {
  return {
    async foundBy(requestId) {
      if (!isRefused(requestId)) return undefined;
      await inTurns(problems.catchUp());
      const problem = problems.ofRequest(requestId);
      if (problem === undefined || problem.requestIds.at(-1) !== requestId || problem.count > problem.requestIds.length)
        return undefined;
      const { id, kind, client_id, code, reason, title } = problem;
      return { id, kind, code, reason, title, requestId, ...defined({ client_id, page: pageOf(id) }) };
    },
  };
}
