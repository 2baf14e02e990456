import type { DashboardTemplate } from '../http/views.ts';
import type { DashboardOptions } from './dashboard-options.ts';
import type { HomeLive, HomePage } from './home-page.ts';
import { issuedCount } from './home-page.ts';
import type { RequestPage } from './request-page.ts';
import type { TokenRow } from './token-list.ts';
import type { TokenPage } from './token-page.ts';

/** The list of tokens with its filter. */
export interface TokensPage {
  readonly query: string;
  /** What of the filter was not understood. */
  readonly problems: readonly string[];
  readonly rows: readonly TokenRow[];
  /** Address of the next page; empty on the last. */
  readonly older: string;
  /** Whether this is the page live rows are added to. */
  readonly newestFirst: boolean;
  readonly types: readonly TypeLink[];
}

/** A one-click filter by type, keeping the rest of the query. */
export interface TypeLink {
  readonly name: string;
  readonly href: string;
  readonly current: boolean;
}

export interface MessagePage {
  readonly title: string;
  readonly code?: string;
  readonly paragraphs: readonly string[];
  readonly links: readonly { readonly href: string; readonly name: string }[];
}

/** Each template of the dashboard with its model. */
export interface Pages {
  home(page: HomePage): Promise<string>;
  homeLive(page: HomeLive): Promise<string>;
  tokens(page: TokensPage): Promise<string>;
  tokenRows(rows: readonly TokenRow[]): Promise<string>;
  token(page: TokenPage): Promise<string>;
  request(page: RequestPage): Promise<string>;
  message(page: MessagePage): Promise<string>;
}

export function createPages(options: DashboardOptions): Pages {
  const { views } = options;
  const page = (template: DashboardTemplate, title: string, nav: string, model: object) =>
    views.dashboard(template, { shell: shellOf(title, nav, options), page: model });
  return {
    home: model => page('home', 'Home', 'home', model),
    homeLive: model => views.dashboard('home-live', { page: model }),
    tokens: model => page('tokens', 'Tokens', 'tokens', model),
    tokenRows: rows => views.dashboard('token-rows', { rows }),
    token: model => page('token', model.title, 'tokens', model),
    request: model => page('request', model.title, '', model),
    message: model => page('message', model.title, '', model),
  };
}

/** What surrounds every page. */
export interface Shell {
  readonly title: string;
  /** The entry of the navigation this page is. */
  readonly nav: string;
  readonly tokens: number;
  /** Unix seconds at the server, so that the browser's clock does not matter. */
  readonly now: number;
  /** The newest event when this was rendered: the live stream starts after it. */
  readonly newest: number;
}

function shellOf(title: string, nav: string, { events, clock }: DashboardOptions): Shell {
  return { title, nav, tokens: issuedCount(events), now: clock(), newest: events.lastId };
}
