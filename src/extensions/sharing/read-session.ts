import * as v from 'valibot';
import { isRecord } from '../../base/text/record.ts';
import { CommandFailure } from '../../client/cli/command.ts';
import { sessionFormat } from '../../record/flows/exports/json.ts';
import { addedRecords } from '../../sandbox/added-events.ts';
import { formatPath, type Path, show } from '../../sandbox/config/problem.ts';
import type { SandboxConfig } from '../../sandbox/config/sandbox-config.ts';
import type { Modules } from '../../sandbox/extension.ts';
import { boundedText } from '../import/read-files.ts';
import { readJson } from '../import/read-text.ts';
import { type FileSession, sessionSchema } from './session-schema.ts';

const mostTold = 20;

/**
 * Reads a session file of Grantbox, with the events of these modules.
 * @throws CommandFailure
 */
export async function readSession(name: string, path: string, { extensions }: Modules): Promise<FileSession> {
  const read = boundedText(path);
  if ('problem' in read) throw new CommandFailure(`${name} ${read.problem}`, 2);
  const json = readJson(read.text);
  if ('problem' in json) throw new CommandFailure(`${name} cannot be opened: ${json.problem}`, 2);
  const { value } = json;
  if (!isRecord(value) || value.format !== sessionFormat) throw new CommandFailure(otherFile(name), 2);
  return checkedSession(name, value, await addedRecords(extensions));
}

/** @throws CommandFailure listing the problems of a value that has the form of a session only in part */
export function checkedSession(name: string, value: unknown, added = {}): FileSession {
  const { issues = [], output, success } = v.safeParse(sessionSchema(added), value);
  const problems = success ? repeatedIds(output) : issues.map(lineOf);
  if (success && problems.length === 0) return output;
  const told = problems.slice(0, mostTold).map(problem => `\n  - ${problem}`);
  const more = problems.length > mostTold ? `\n  and ${problems.length - mostTold} more` : '';
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  throw new CommandFailure(`${name} is not a session file of Grantbox; it has ${count}:${told.join('')}${more}`, 2);
}

function lineOf({ path, message, input }: v.BaseIssue<unknown>): string {
  const place: Path = (path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
  const expected = message.startsWith('Invalid key') ? 'a value, because it is required' : message;
  return `${formatPath(place)}: ${input === undefined ? '' : `found ${show(input)}, `}expected ${expected}`;
}

/** Two requests with one id would be shown as one. */
function repeatedIds({ requests }: FileSession): string[] {
  const seen = new Set<string>();
  return requests.flatMap(({ requestId }, index) => {
    if (!seen.has(requestId) && seen.add(requestId)) return [];
    return [`requests[${index}].requestId: found "${requestId}" again, expected an id that no other request has`];
  });
}

function otherFile(name: string): string {
  return `${name} is no session file of Grantbox. Download one with Share on a page of the dashboard`;
}

/** The clients, users, scopes and collections of a session file. */
export type RecordedSetup = NonNullable<FileSession['setup']>;

type Entry = Readonly<Record<string, unknown>>;

/** The setup as members of a configuration. Nothing of it is checked yet. */
export function setupConfig(setup: RecordedSetup | undefined): SandboxConfig {
  if (setup === undefined || !('clients' in setup)) return {};
  const { clients, users, scopes, collections } = setup;
  const members = { clients, users, scopes: byName(scopes), collections: byName(collections) };
  return members as unknown as SandboxConfig; // `loadConfig` checks each member
}

function byName(entries: readonly Entry[]): Readonly<Record<string, Entry>> {
  return Object.fromEntries(entries.map(({ name, ...entry }) => [String(name), entry]));
}
