import { defined } from '../../base/defined.ts';
import { createProblemIndex } from '../../record/problems/problem-index.ts';
import { ownSettings } from '../../sandbox/config/settings.ts';
import type { Core } from '../../sandbox/extension.ts';
import { knownOf } from '../../sandbox/front/front.ts';
import type { MessageSources } from './message.ts';
import { createProblemFinder } from './problems.ts';
import type { webhookSettings } from './settings.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

/** Webhooks of one issuer, which tell of events after this id. */
export function loadWebhooks(core: Core, after: number): Webhooks {
  const { config, server, events, log } = core;
  const { issuer, store, outbound, clock } = server;
  return createWebhooks({
    ...{ issuer, events, store, outbound, clock, after },
    ...entriesOf(core),
    problems: problemsOf(core),
    configured: () => ownSettings<typeof webhookSettings>(config).webhooks,
    onError: error => log.error(error, 'sandbox'),
  });
}

/** Users and clients as a message has them: without passwords, secrets and keys. */
function entriesOf({ server: { users, clients } }: Core): Pick<MessageSources, 'user' | 'client'> {
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

function problemsOf(core: Core): MessageSources['problems'] {
  const { config, server, events } = core;
  const { issuer } = server;
  // without detectors of silence: a message is sent for what happened
  const index = createProblemIndex(knownOf(core, new URL(issuer).pathname.replace(/\/$/, '')), []);
  const isRefused = (requestId: string) => events.ofRequest(requestId).some(({ type }) => type === 'error.returned');
  return createProblemFinder(index, isRefused, id =>
    config.dashboard === 'off' ? undefined : `${issuer}/dashboard/problems/${id}`,
  );
}
