import type { Request, Response, Router } from 'express';
import type { FlowIndex } from '../record/flows/flow.ts';
import type { ProblemIndex } from '../record/problems/problem.ts';
import type { Extension, Issuer } from '../sandbox/extension.ts';
import type { createPreferences } from '../server/http/preferences.ts';
import type { DashboardFacts } from './facts.ts';

/** A page with a sentence or two. */
export interface MessagePage {
  readonly title: string;
  readonly code?: string;
  readonly paragraphs: readonly string[];
  readonly links: readonly { readonly href: string; readonly name: string }[];
}

/** A page of the dashboard before it is rendered. */
export interface DashboardPage {
  /** The name of the template in `templates/dashboard/`. */
  readonly template: string;
  readonly title: string;
  /** The entry in the navigation that the page belongs to; empty for none. */
  readonly nav: string;
  /** The data of the page, which its template reads as `view.page`. */
  readonly model: object;
  /** Default: 200. */
  readonly status?: number;
}

/** Handed to each page: the facts of the sandbox, the readers of flows and problems, and the functions that send a page. */
export interface PageContext extends DashboardFacts {
  /** Read from the log on demand. */
  readonly flows: FlowIndex;
  readonly problems: ProblemIndex;
  /** The pages of extensions; none in a recorded session. */
  readonly added: readonly Pick<ExtensionPage, 'path' | 'entry' | 'isOpen' | 'linkedFrom'>[];
  /** Commands of extensions that Share names beside the file of a flow or a problem. */
  readonly shareCommands: readonly ShareCommands[];
  /** The display preferences of a browser. */
  readonly preferences: ReturnType<typeof createPreferences>;
  /** The sentences about what a form did, which `leadTo` kept for this page. */
  noticesFor(req: Request): readonly string[];
  /** Redirects to a page, which shows the sentences. The path is below that of the issuer and may have a query. */
  leadTo(res: Response, path: string, sentences: readonly string[]): void;
  /** Redirects to any page, whose frame shows the sentences. The path has that of the issuer. */
  tell(res: Response, path: string, sentences: readonly string[]): void;
  show(res: Response, page: DashboardPage): Promise<void>;
  /** Renders a part of a page, which a script inserts. */
  fragment(template: string, model: object): Promise<string>;
  message(res: Response, status: number, page: MessagePage): Promise<void>;
  /** Sends a 404 page, which explains that the history is bounded. */
  forgotten(res: Response, what: string): Promise<void>;
}

/** An entry of the navigation. */
export interface NavigationEntry {
  /** Also in the title, the palette and the shortcuts. */
  readonly name: string;
  /** Pressed after `g`. */
  readonly key: string;
  /** An SVG path in a square of 16. */
  readonly icon: string;
  /** A tab of this entry, or one of the tools. */
  readonly group: NavigationGroup;
}

/** The entries of the navigation, and `Tools`, the folded list below them. */
export type NavigationGroup = 'Home' | 'Requests' | 'Sign-ins' | 'Problems' | 'Clients & users' | 'Learn' | 'Tools';

/** A page that an extension adds, or several below one path. */
interface ExtensionPage<Running = unknown> {
  /** Below the path of the issuer: `/dashboard/hello`. Its last segment names the entry of the navigation. */
  readonly path: string;
  /** Absent for pages that others lead to. */
  readonly entry?: NavigationEntry;
  /** The page itself checks who may see it. */
  readonly isOpen?: true;
  readonly linkedFrom?: readonly LinkFrom[];
  /** Whether an issuer has it. Default: yes. */
  isOffered?(issuer: Issuer): boolean;
  /** Called with the first visit. */
  routes(router: Router, context: PageContext, running: () => Promise<Running>): Promise<void>;
}

/** A link on the page of all clients, of one client, of an extension, or beside a check that saw nothing. */
interface LinkFrom {
  /** `clients`, `client`, `check`, or the entry of the page of an extension. */
  readonly page: string;
  readonly name: string;
  /** The parameter that names the client or the check. */
  readonly query?: string;
  /** Only beside these checks. Default: on each page of the kind. */
  readonly only?: readonly string[];
}

/** A flow or a problem, with the name of the file if a recorded session shows it. */
export interface Shared {
  readonly kind: 'flow' | 'problem';
  readonly id: string;
  readonly file: string | undefined;
}

/** Commands for a terminal: the one that opens the downloaded file, and the one that repeats a recorded session in a test. */
export type ShareCommands = (shared: Shared) => { readonly open: string; readonly repeat?: string };

/** An extension that has pages, or words on those of the core. */
export interface WithPages<Running = unknown> {
  readonly pages?: readonly ExtensionPage<Running>[];
  readonly shareCommands?: ShareCommands;
}

export type ExtensionWithPages = Extension & WithPages;

/** A page that an extension adds to those of one issuer. */
export interface AddedPage extends Omit<ExtensionPage, 'routes' | 'isOffered'> {
  routes(router: Router, context: PageContext): Promise<void>;
}

/** The links to pages of extensions on one of these pages, or beside the client or check with this id. */
export function linksOn({ added, base }: Pick<PageContext, 'added' | 'base'>, page: LinkFrom['page'], id = '') {
  return added.flatMap(({ path, linkedFrom = [] }) =>
    linkedFrom
      .filter(link => link.page === page && (link.only?.includes(id) ?? true))
      .map(({ name, query }) => ({
        entry: path.slice(path.lastIndexOf('/') + 1),
        name,
        href: `${base}${path}${query === undefined ? '' : `?${query}=${encodeURIComponent(id)}`}`,
      })),
  );
}

/** The pages that extensions offer for an issuer. */
export function addedPages(extensions: readonly ExtensionWithPages[], issuer: Issuer): readonly AddedPage[] {
  return extensions.flatMap(extension =>
    (extension.pages ?? [])
      .filter(page => page.isOffered?.(issuer) ?? true)
      .map(page => ({
        ...page,
        routes: (router, context) => page.routes(router, context, issuer.extensions.of(extension).get),
      })),
  );
}

/** *Share* on the page of a flow or a problem: the address of its file, and what to type for it; empty for nothing. */
export function shareOf({ base, opened, shareCommands }: PageContext, kind: 'flow' | 'problem', id: string) {
  const [commands] = shareCommands.map(of => of({ kind, id, file: opened?.file }));
  return {
    href: `${base}/dashboard/${kind}s/${id}/export/json`,
    open: commands?.open ?? '',
    repeat: commands?.repeat ?? '',
  };
}
