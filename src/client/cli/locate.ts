import { discoveryPath, grantboxIn, type RunningGrantbox, reachedAt } from '../../server/wire/health.ts';
import type { Answered } from './ask.ts';
import { CommandFailure, type Given, type World } from './command.ts';
import { type Connection, connect } from './connection.ts';

/** The connection to an issuer, and what the health of its server says. */
export interface IssuerConnection extends Connection {
  readonly health: Answered;
  /** Undefined if the server is not Grantbox. */
  readonly running?: RunningGrantbox;
}

/** Limits of the search. */
interface Search {
  readonly timeoutSeconds?: number;
  /** @throws CommandFailure for a sandbox that the caller does not mean */
  readonly accepts?: (running: RunningGrantbox | undefined) => void;
}

/** @throws CommandFailure for an invalid address, or if there is no answer */
export function connectIssuer(given: Given, world: World): Promise<IssuerConnection> {
  return locate(connect(given, world));
}

/**
 * Goes from the address of a sandbox to its issuer, which a preset or ISSUER may have put at a path. The health of the sandbox
 * tells the path, so that no address is tried that the sandbox would refuse. Another server is taken at its word.
 * @throws CommandFailure if there is no answer, or if the sandbox has no issuer at the address
 */
export async function locate(connection: Connection, search: Search = {}): Promise<IssuerConnection> {
  const { accepts = () => {}, ...asking } = search;
  let health = await connection.ask('/health', asking);
  if (health.status === 404 && (await isMadeOnRequest(connection, search)))
    health = await connection.ask('/health', asking);
  const running = health.status === 200 ? grantboxIn(health.text) : undefined;
  if (running !== undefined) accepts(running);
  const base = running?.at === undefined ? connection.base : reachedAt(connection.base, running.at);
  return { ...connection.at(base), health, ...(running === undefined ? {} : { running }) };
}

/**
 * With ISSUERS=any, the first request for its metadata makes an issuer.
 * @throws CommandFailure if this is a sandbox, and will never have an issuer at this path
 */
async function isMadeOnRequest(connection: Connection, { accepts = () => {}, ...asking }: Search): Promise<boolean> {
  const { base } = connection;
  const { origin } = new URL(base);
  if (base === origin) return false;
  const running = grantboxIn((await connection.at(origin).ask('/health', asking)).text);
  if (running?.at === undefined) return false;
  accepts(running);
  const { status } = await connection.ask(discoveryPath, asking);
  if (status === 200) return true;
  const own = reachedAt(base, running.at);
  throw new CommandFailure(`the sandbox at ${origin} has no issuer at ${base}`, 1, `Its first issuer is at ${own}.`);
}
