import * as v from 'valibot';
import { defined } from '../../../../base/defined.ts';
import { invalidRequest, type OAuthError } from '../../../../protocol/errors.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { ConfigError } from '../../../config/problem.ts';
import { described } from '../../described.ts';
import { onlyAtTheFirst, refusedInput } from '../../refusal.ts';
import { NothingToRead, type Reloaded } from '../../reload/reloaded.ts';
import type { Controlled } from '../controlled.ts';
import { operation } from '../operation.ts';

const entry = v.object({
  kind: v.string(),
  name: v.string(),
  change: v.picklist(['added', 'changed', 'removed']),
  members: described(
    v.array(v.object({ member: v.string(), from: v.optional(v.string()), to: v.optional(v.string()) })),
    'For a changed entry: the values before and after as JSON; secrets are ***, and an absent value is left out',
  ),
});
const setting = v.object({ name: v.string(), from: v.string(), to: v.string() });
const changes = {
  entries: v.array(entry),
  settings: described(v.array(setting), 'Settings that changed now'),
  atNextStart: described(v.array(setting), 'Settings in the file that take effect at the next start'),
};

/** The configuration file, once more. */
export const reloadOperations = [
  operation({
    name: 'reload',
    method: 'POST',
    path: '/reload',
    changes: true,
    summary: 'Reload the configuration file for all issuers; a file with problems is not applied',
    answers: {
      200: {
        description: 'The changes',
        schema: v.object({
          file: v.string(),
          ...changes,
          issuers: described(v.record(v.string(), v.object(changes)), 'The changes of each further issuer, by path'),
        }),
      },
      400: { description: 'The problems of the file; nothing was changed' },
      404: { description: 'The sandbox was started without a file, or this is not the first issuer' },
    },
    run: async (_input, controlled) => jsonAnswer(200, await reload(controlled)),
  }),
];

async function reload(controlled: Controlled): Promise<Reloaded> {
  if (controlled.reload === undefined)
    throw onlyAtTheFirst(controlled.server, 'reload', 'the first issuer reloads the file for all issuers');
  try {
    return await controlled.reload('api');
  } catch (error) {
    if (error instanceof NothingToRead) throw noFile(error);
    if (!(error instanceof ConfigError)) throw error;
    throw refusedInput(
      error.problems.map(({ source, value, ...rest }) => ({
        member: source,
        ...rest,
        ...defined({ sent: value }),
      })),
    );
  }
}

function noFile({ message }: NothingToRead): OAuthError {
  return invalidRequest('control_entry_unknown', message, {
    status: 404,
    sent: 'no file',
    expected: 'a sandbox that was started with a clients.config file, or with --config',
  });
}
