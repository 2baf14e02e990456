import type { IncomingMessage } from 'node:http';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { Branding } from '../../oauth/clients/client.ts';
import type { ApprovalsPage, DevicePage, SignInPage } from '../../oauth/endpoints/endpoint.ts';
import type { Answer } from '../answer.ts';
import type { Cookies } from '../cookies.ts';
import { rawQuery } from '../read-parameters.ts';
import { dashboardHeaders } from '../security-headers.ts';
import type { Views } from '../views.ts';
import { approvalsView, deviceView, signInView } from './decision-views.ts';
import { languageOf, pageAnswer } from './language.ts';
import type { LoginAgain } from './login-again.ts';

/** The pages on which a user decides about what was asked for elsewhere; they never lead to a client. */
export function createDecisionPages({ server, base, cookies, views, loginMode }: PagesOptions) {
  return {
    async signIn(page: SignInPage, req: IncomingMessage, again?: LoginAgain): Promise<Answer> {
      const action = `${base}/login/${page.purpose}?${rawQuery(req)}`;
      const language = await languageOf(req);
      const lastUsed = cookies.read(req, cookies.lastUser);
      const html = await views.signIn(
        signInView(server, { ...again, page, mode: loginMode, action, lastUsed, language }),
      );
      return pageAnswer(language, again?.status ?? 200, html, dashboardHeaders);
    },

    async device(page: DevicePage, req: IncomingMessage): Promise<Answer> {
      const language = await languageOf(req);
      const html = await views.device(
        deviceView({ ...server, language }, page, base + server.paths.deviceVerification),
      );
      const isRefused = page.step === 'enter' && page.fault !== undefined;
      return pageAnswer(language, isRefused ? 400 : 200, html, dashboardHeaders);
    },

    async approvals(page: ApprovalsPage, req: IncomingMessage): Promise<Answer> {
      const language = await languageOf(req);
      const html = await views.approvals(approvalsView({ ...server, language }, page, base + server.paths.approvals));
      return pageAnswer(language, 200, html, dashboardHeaders);
    },
  };
}
export interface PagesOptions {
  readonly server: AuthorizationServer;
  /** Path of the issuer, which precedes all its paths. */
  readonly base: string;
  readonly cookies: Cookies;
  readonly views: Views;
  readonly loginMode: 'picker' | 'password';
  /** The branding of clients without their own, as it is configured now. */
  readonly branding: () => Branding;
}
