import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { AppCallback, AppCodeSent, AppRefused, AppSignedIn } from '../../../base/events/lesson-events.ts';
import { cookieSuffix, readCookie } from '../../../server/http/cookies.ts';
import { AppRefusal, type Protection } from './checks.ts';
import { type DemoAppPage, pageOf } from './page.ts';
import type { AppClient, SendToProvider, SignInParts } from './sign-in.ts';
import { type AppVisit, createAppState } from './visits.ts';

/** The application of a lab: it can be careless, and can have a second provider. */
export interface AppLab {
  /** The protections that are off now. */
  unprotected(): readonly Protection[];
  /** The issuer of the second provider; empty if there is none. */
  readonly second: string;
}

export interface DemoAppOptions {
  readonly issuer: string;
  /** The path of the application, which includes the path of the issuer. */
  readonly at: string;
  /** The registration of the application; undefined if it is not registered or cannot sign users in. */
  readonly client: () => AppClient | undefined;
  /** Absent outside labs. */
  readonly lab?: AppLab | undefined;
  /** Registers the application. */
  readonly register: () => Promise<void>;
  readonly send: SendToProvider;
  readonly emit: (req: IncomingMessage, fact: AppCallback | AppCodeSent | AppSignedIn | AppRefused) => void;
  /** The page as HTML. */
  readonly render: (page: DemoAppPage) => Promise<string>;
  /** Unix seconds. */
  readonly now: () => number;
  /** Calls the listener when the sandbox is reset. */
  readonly onReset: (listener: () => void) => void;
}

export type AppDesk = ReturnType<typeof createAppDesk>;

/** The application, as its routes see it. */
export function createAppDesk({ render, client, ...options }: DemoAppOptions) {
  const { issuer, at, send, now, lab } = options;
  const state = createAppState(lab?.unprotected);
  const cookie = `grantbox_demo_app${cookieSuffix(issuer)}`;
  /** The visit of this browser; undefined before its first action. */
  const visitOf = (req: Request) => state.visit(readCookie(req, cookie));

  async function page(req: Request, res: Response, refusal?: AppRefusal): Promise<void> {
    const second = lab?.second ?? '';
    const shown = { at, issuer, second, client: client(), account: visitOf(req)?.account, refusal };
    const html = await render(pageOf(shown, state));
    const status = refusal === undefined ? 200 : 400;
    res.status(status).type('html').send(html);
  }
  /** The application as a client; undefined if it is not registered. */
  function parts(): SignInParts | undefined {
    const own = client();
    return own === undefined ? undefined : { issuer, client: own, state, send, now };
  }
  return {
    ...options,
    parts,
    state,
    visitOf,
    /** The visit of this browser; begins one if there is none. */
    visited(req: Request, res: Response): AppVisit {
      const known = visitOf(req);
      if (known !== undefined) return known;
      const { id, visit } = state.open();
      res.cookie(cookie, id, { httpOnly: true, sameSite: 'lax', secure: issuer.startsWith('https:'), path: at });
      return visit;
    },
    show: (req: Request, res: Response) => page(req, res),
    /** Runs work that needs a registration, and redirects to the returned address. Shows a refusal, or that the registration is missing. */
    async asClient(req: Request, res: Response, work: (parts: SignInParts) => Promise<string>): Promise<void> {
      const own = parts();
      if (own === undefined) return page(req, res);
      try {
        res.redirect(303, await work(own));
      } catch (error) {
        if (!(error instanceof AppRefusal)) throw error;
        await page(req, res, error);
      }
    },
  };
}
