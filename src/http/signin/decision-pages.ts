import type { IncomingMessage } from 'node:http';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { ApprovalsPage, DevicePage, SignInPage } from '../../oauth/endpoints/endpoint.ts';
import { type Answer, htmlAnswer } from '../answer.ts';
import type { Cookies } from '../cookies.ts';
import { rawQuery } from '../read-parameters.ts';
import { dashboardHeaders } from '../security-headers.ts';
import type { Views } from '../views.ts';
import { approvalsView, deviceView, signInView } from './decision-views.ts';
import type { LoginAgain } from './login-again.ts';

/** The pages on which a user decides about what was asked for elsewhere; they never lead to a client. */
export function createDecisionPages({ server, base, cookies, views, loginMode }: PagesOptions) {
  return {
    async signIn(page: SignInPage, req: IncomingMessage, again?: LoginAgain): Promise<Answer> {
      const action = `${base}/login/${page.purpose}?${rawQuery(req)}`;
      const lastUsed = cookies.read(req, cookies.lastUser);
      const html = await views.signIn(signInView(server, { ...again, page, mode: loginMode, action, lastUsed }));
      return htmlAnswer(again?.status ?? 200, html, dashboardHeaders);
    },

    async device(page: DevicePage): Promise<Answer> {
      const html = await views.device(deviceView(server, page, base + server.paths.deviceVerification));
      const isRefused = page.step === 'enter' && page.fault !== undefined;
      return htmlAnswer(isRefused ? 400 : 200, html, dashboardHeaders);
    },

    async approvals(page: ApprovalsPage): Promise<Answer> {
      const html = await views.approvals(approvalsView(server, page, base + server.paths.approvals));
      return htmlAnswer(200, html, dashboardHeaders);
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
}
