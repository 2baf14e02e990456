import type { Response } from 'express';
import type { FlowIndex } from '../flows/flow.ts';
import type { createPreferences } from '../http/preferences.ts';
import type { ProblemIndex } from '../problems/problem.ts';
import type { DashboardOptions } from './dashboard-options.ts';
import type { NavEntry } from './nav.ts';

/** A sentence or two instead of a page. */
export interface MessagePage {
  readonly title: string;
  readonly code?: string;
  readonly paragraphs: readonly string[];
  readonly links: readonly { readonly href: string; readonly name: string }[];
}

/** A page of the dashboard, before it is HTML. */
export interface DashboardPage {
  /** Under `templates/dashboard/`. */
  readonly template: string;
  readonly title: string;
  /** The entry of the navigation this page is; empty for none. */
  readonly nav: NavEntry | '';
  /** The facts of one page, which its template reads as `view.page`. */
  readonly model: object;
  /** 200 where it is not said. */
  readonly status?: number;
}

/** The tools of every page: the facts of the sandbox, its readers, and the function that sends a page. */
export interface Desk extends DashboardOptions {
  /** Made of the log when somebody first looks. */
  readonly flows: FlowIndex;
  readonly problems: ProblemIndex;
  /** How a browser wants to see the pages. */
  readonly preferences: ReturnType<typeof createPreferences>;
  show(res: Response, page: DashboardPage): Promise<void>;
  /** A piece of a page, for scripts that put it in. */
  fragment(template: string, model: object): Promise<string>;
  message(res: Response, status: number, page: MessagePage): Promise<void>;
  /** 404: the history is bounded, and says so. */
  forgotten(res: Response, what: string): Promise<void>;
}
