import { ago } from '../../base/text/duration.ts';
import { askHealth, grantboxIn, named, type RunningGrantbox } from '../wire/health.ts';
import { portHolder } from './port-holder.ts';

/** Seconds until an answer comes too late. */
const timeout = 2;

/** The names of a setting that chooses a port. */
export interface PortSetting {
  readonly flag: string;
  readonly variable: string;
}

/** Says in one sentence who has a port that another server wants, and the ways out. */
export async function portTaken(address: string, port: number, { flag, variable }: PortSetting): Promise<string> {
  const running = await grantboxAt(address, port);
  const holder = portHolder(port);
  const process = holder === undefined ? '' : ` (process ${holder.pid}, ${holder.program})`;
  const choose = `or choose another port with ${flag} or ${variable}.`;
  if (running === undefined)
    return `Port ${port} is taken, and no Grantbox answers there: stop the program that listens on it${process}, ${choose}`;
  const now = Date.now();
  const age = ago((now - running.started) / 1000);
  return `Port ${port} is taken by ${named(running, now)}, ${age}${process}. Stop it, ${choose}`;
}

async function grantboxAt(address: string, port: number): Promise<RunningGrantbox | undefined> {
  const isEverywhere = address === '0.0.0.0' || address === '::';
  const host = isEverywhere ? 'localhost' : address.includes(':') ? `[${address}]` : address;
  try {
    const plain = await askHealth(`http://${host}:${port}/health`, timeout);
    // a port that speaks HTTPS
    const answer = plain.status === 400 ? await askHealth(`https://${host}:${port}/health`, timeout) : plain;
    return grantboxIn(answer.text);
  } catch {
    return undefined;
  }
}
