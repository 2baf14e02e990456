import { firstOf } from '../../base/text/words.ts';
import { canCheckHash } from '../../protocol/users/password-hash.ts';
import type { RequestLog } from '../../server/http/log/request-log.ts';
import type { Config, IssuerConfig } from '../config/config.ts';

/** Warns at the start of parts of a configuration that take effect in an unexpected way. */
export async function warn(config: Config, log: RequestLog): Promise<void> {
  for (const notes of config.notes)
    log.warn({ file: notes.file }, `${notes.told}:${firstLines(notes.notes, notes.command)}`);
  for (const { path, config: each } of [{ path: '', config }, ...config.issuers])
    for (const warning of [replaced(each), unchecked(each), await withoutEffect(each)])
      if (warning !== undefined) log.warn(path === '' ? {} : { path }, warning);
}

/** Valid entries that do nothing. */
async function withoutEffect(config: IssuerConfig): Promise<string | undefined> {
  const lines = (await config.withoutEffect?.()) ?? [];
  return lines.length === 0
    ? undefined
    : `without effect in the configuration:${firstLines(lines, 'grantbox validate')}`;
}

/** A user's client that has the id of a ready client: the user may not know about that one. */
function replaced({ readyClients: { replaced: ids } }: IssuerConfig): string | undefined {
  if (ids.length === 0) return undefined;
  const which = ids.length === 1 ? 'the client' : 'the clients';
  return `${which} ${ids.join(', ')} of your configuration replaced the ready client of that id`;
}

/** Users whose hash this version of Node cannot check. */
function unchecked({ users }: IssuerConfig): string | undefined {
  const names = users.flatMap(({ username, password_hash: hash }) =>
    hash === undefined || canCheckHash(hash) ? [] : [username],
  );
  if (names.length === 0) return undefined;
  return `any password is accepted for ${firstOf(names)}: Argon2 hashes are checked with Node 24.7 or newer`;
}

const mostLines = 10;

/** The first of a list, and the command that prints all. */
function firstLines(lines: readonly string[], command: string): string {
  const first = lines.slice(0, mostLines).map(line => `\n  - ${line}`);
  const all = lines.length > mostLines ? `\n  and ${lines.length - mostLines} more: ${command}` : '';
  return first.join('') + all;
}
