import { type Lazy, lazily } from '../../base/lazily.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { Breakpoints } from '../../server/http/breakpoints.ts';
import type { ResponseTap } from '../../server/http/front-door.ts';

/** The breakpoints of one issuer, which are loaded when somebody first asks for them. */
export interface IssuerBreakpoints extends Lazy<Breakpoints> {
  /** Empty until the breakpoints are loaded. */
  readonly responseTap: ResponseTap;
}

/** Pages of a sign-in, the sample backend, and each answer of a sign-in that leads back to a client. */
const pages = ['login', 'consent', 'api', 'redirect'];

/** @param now real time in Unix seconds */
export function createBreakpointsOf(server: AuthorizationServer, now: () => number): IssuerBreakpoints {
  const responseTap: ResponseTap = {};
  const breakpoints = lazily(async () => {
    const { createBreakpoints } = await import('../../server/http/breakpoints.ts');
    const { endpointRoutes } = await import('../../server/http/routes.ts');
    const endpoints = [...new Set([...endpointRoutes(server, '').map(({ name }) => name), ...pages])];
    const made = createBreakpoints({ endpoints, now, after });
    responseTap.watch = made.tap;
    return made;
  });
  return { ...breakpoints, responseTap };
}

function after(seconds: number, run: () => void): () => void {
  const timer = setTimeout(run, seconds * 1000).unref();
  return () => clearTimeout(timer);
}
