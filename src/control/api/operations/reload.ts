import * as v from 'valibot';
import { ConfigError } from '../../../config/problem.ts';
import { defined } from '../../../defined.ts';
import { jsonAnswer } from '../../../http/answer.ts';
import { invalidRequest, type OAuthError } from '../../../oauth/errors.ts';
import { described } from '../../described.ts';
import { NothingToRead, type Reloaded } from '../../reload/reloaded.ts';
import type { Controlled } from '../controlled.ts';
import { operation } from '../operation.ts';
import { refusedInput } from '../refusal.ts';

const entry = v.object({
  kind: v.string(),
  name: v.string(),
  change: v.picklist(['added', 'changed', 'removed']),
  members: described(
    v.array(v.object({ member: v.string(), from: v.optional(v.string()), to: v.optional(v.string()) })),
    'Of one that was changed, as JSON; secrets are ***, and what was or is left out is absent',
  ),
});
const setting = v.object({ name: v.string(), from: v.string(), to: v.string() });
const changes = {
  entries: v.array(entry),
  settings: described(v.array(setting), 'In effect from now on'),
  atNextStart: described(v.array(setting), 'Said by the file, and in effect after the next start only'),
};

/** The configuration file, once more. */
export const reloadOperations = [
  operation({
    name: 'reload',
    method: 'POST',
    path: '/reload',
    summary: 'Read the configuration file again, for all issuers; one with problems is not used',
    answers: {
      200: {
        description: 'What that changed',
        schema: v.object({
          file: v.string(),
          ...changes,
          issuers: described(
            v.record(v.string(), v.object(changes)),
            'The same for each issuer beside the first, by path',
          ),
        }),
      },
      400: { description: 'What is wrong with the file, problem by problem; nothing was changed' },
      404: { description: 'No file was read at the start, or this is not the first issuer' },
    },
    run: async (_input, controlled) => jsonAnswer(200, await reload(controlled)),
  }),
];

async function reload(controlled: Controlled): Promise<Reloaded> {
  if (controlled.reload === undefined) throw notHere(controlled);
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

function notHere({ server }: Controlled): OAuthError {
  const { origin, pathname } = new URL(server.issuer);
  return invalidRequest('control_entry_unknown', 'the file is read again by the first issuer, for all of them', {
    status: 404,
    sent: `${pathname}/_sandbox/reload`,
    expected: `${origin}/_sandbox/reload`,
  });
}

function noFile({ message }: NothingToRead): OAuthError {
  return invalidRequest('control_entry_unknown', message, {
    status: 404,
    sent: 'no file',
    expected: 'a sandbox that was started with a clients.config file, or with --config',
  });
}
