import type { RequestListener } from 'node:http';
import type { Config } from '../config/config.ts';
import type { EventLog } from '../events/event-log.ts';
import { createAdapter } from '../http/adapter.ts';
import { createCookies } from '../http/cookies.ts';
import { createFrontDoor } from '../http/front-door.ts';
import { createHostCheck } from '../http/host-check.ts';
import { createPages } from '../http/pages.ts';
import type { RequestLog } from '../http/request-log.ts';
import { createRouteHandlers, fastLane } from '../http/route-handler.ts';
import { type EndpointRoute, endpointRoutes } from '../http/routes.ts';
import { createViews } from '../http/views.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { UserDirectory } from '../oauth/user.ts';
import { templatesFolder, version } from '../package.ts';
import { lazily } from './lazily.ts';

/** What stands behind the socket. */
export interface Core {
  readonly config: Config;
  readonly server: AuthorizationServer;
  readonly events: EventLog;
  readonly users: UserDirectory;
  readonly log: RequestLog;
  readonly explanationOf: (requestId: string) => string | undefined;
  readonly port: number;
}

/** Everything between the socket and the authorization server. */
export interface Front {
  readonly listener: RequestListener;
  resetResources(): void;
  /** Ends the live streams of the dashboard. */
  closeStreams(): void;
}

/** Express, the dashboard and the sample backend are loaded when a request first needs them. */
export function createFront(core: Core): Front {
  const { config, server, events, log, explanationOf } = core;
  const cookies = createCookies(server.issuer);
  const look = { label: config.label, issuer: server.issuer, base: '', version, dashboard: config.dashboard };
  const views = createViews({ templatesFolder, look });
  const pages = createPages({ server, cookies, views, loginMode: config.loginMode });
  const adapter = createAdapter({
    server,
    cookies,
    views,
    explanationOf,
    errorUris: config.errorUri,
    renderPage: pages.render,
    onError: log.error,
  });
  const base = new URL(server.issuer).pathname.replace(/\/$/, '');
  const isOffered = ({ feature }: EndpointRoute) => feature === undefined || server.features.has(feature);
  const routes = endpointRoutes(server, base);
  const endpoints = createRouteHandlers(routes.filter(isOffered), adapter, config.metadataMaxAge);
  const switchedOff = routes.flatMap(({ path, feature }) =>
    feature === undefined || server.features.has(feature) ? [] : [{ path, feature }],
  );
  const startedAt = server.clock();
  const app = lazily(async () => {
    const { loadApp } = await import('./app.ts');
    return loadApp({ ...core, adapter, cookies, pages, endpoints, switchedOff, views, startedAt });
  });
  const listener = createFrontDoor({
    isAllowedHost: createHostCheck(server.issuer, config.allowedHosts),
    fastLane: fastLane(endpoints, config.rateLimit),
    app: async () => (await app.get()).listener,
    emit: requestId => fact => void events.append(fact, requestId),
    onError: log.error,
  });
  return {
    listener,
    resetResources: () => app.current()?.resetResources(),
    closeStreams: () => app.current()?.closeStreams(),
  };
}
