import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { AppCallback, AppRefused, AppSignedIn } from '../events/app-events.ts';
import { cookieSuffix, readCookie } from '../http/cookies.ts';
import { AppRefusal } from './checks.ts';
import { type DemoAppPage, pageOf } from './page.ts';
import type { AppClient, SendToProvider, SignInParts } from './sign-in.ts';
import { type AppState, type AppVisit, createAppState } from './visits.ts';

export interface DemoAppOptions {
  readonly issuer: string;
  /** The path of the application, with that of the issuer. */
  readonly at: string;
  /** The application's registration; undefined where it is not registered, or cannot sign anybody in. */
  readonly client: () => AppClient | undefined;
  /** Registers it. */
  readonly register: () => Promise<void>;
  readonly send: SendToProvider;
  readonly emit: (req: IncomingMessage, fact: AppCallback | AppSignedIn | AppRefused) => void;
  /** The page as HTML. */
  readonly render: (page: DemoAppPage) => Promise<string>;
  /** Unix seconds. */
  readonly now: () => number;
  /** Calls the listener when the sandbox forgets everything. */
  readonly onReset: (listener: () => void) => void;
}

/** The application as its routes use it. */
export interface AppDesk extends Omit<DemoAppOptions, 'render' | 'client'> {
  readonly state: AppState;
  /** The visit of this browser; undefined before it did anything. */
  visitOf(req: Request): AppVisit | undefined;
  /** The same, begun where there is none. */
  visited(req: Request, res: Response): AppVisit;
  show(req: Request, res: Response): Promise<void>;
  /** Does what needs a registration, and leads to the address that it answers. A refusal is shown, and so is that there is none. */
  asClient(req: Request, res: Response, work: (parts: SignInParts) => Promise<string>): Promise<void>;
}

export function createAppDesk({ render, client, ...options }: DemoAppOptions): AppDesk {
  const { issuer, at, send, now } = options;
  const state = createAppState();
  const cookie = `grantbox_demo_app${cookieSuffix(issuer)}`;
  const visitOf = (req: Request) => state.visit(readCookie(req, cookie));

  async function page(req: Request, res: Response, refusal?: AppRefusal): Promise<void> {
    const shown = { at, issuer, client: client(), account: visitOf(req)?.account, refusal };
    const html = await render(pageOf(shown, state));
    const status = refusal === undefined ? 200 : 400;
    res.status(status).type('html').send(html);
  }
  return {
    ...options,
    state,
    visitOf,
    visited(req, res) {
      const known = visitOf(req);
      if (known !== undefined) return known;
      const { id, visit } = state.open();
      res.cookie(cookie, id, { httpOnly: true, sameSite: 'lax', secure: issuer.startsWith('https:'), path: at });
      return visit;
    },
    show: (req, res) => page(req, res),
    async asClient(req, res, work) {
      const own = client();
      if (own === undefined) return page(req, res);
      try {
        res.redirect(303, await work({ issuer, client: own, state, send, now }));
      } catch (error) {
        if (!(error instanceof AppRefusal)) throw error;
        await page(req, res, error);
      }
    },
  };
}
