import type { IncomingMessage } from 'node:http';
import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import type { Branding } from '../../../protocol/clients/client.ts';
import type { ApprovalsPage, DevicePage, SignInPage } from '../../../protocol/endpoints/endpoint.ts';
import type { Answer } from '../answer.ts';
import type { Cookies } from '../cookies.ts';
import { rawQuery } from '../read-parameters.ts';
import { dashboardHeaders } from '../security-headers.ts';
import type { Views } from '../views.ts';
import { branded, type PageBrand, sharedBrand } from './brand.ts';
import { approvalsView, deviceView, signInView } from './decision-views.ts';
import { languageOf, pageAnswer } from './language.ts';
import type { LoginAgain } from './login-again.ts';

/** Pages on which a user decides about a request from another device. They never lead to a client. */
export function createDecisionPages({ server, base, cookies, views, loginMode, branding }: PagesOptions) {
  return {
    async signIn(page: SignInPage, req: IncomingMessage, again?: LoginAgain): Promise<Answer> {
      const action = `${base}/login/${page.purpose}?${rawQuery(req)}`;
      const language = await languageOf(req);
      const lastUsed = cookies.read(req, cookies.lastUser);
      const html = await views.signIn({
        ...signInView(server, { ...again, page, mode: loginMode, action, lastUsed, language }),
        brand: sharedBrand(branding()),
      });
      return pageAnswer(language, again?.status ?? 200, html, dashboardHeaders);
    },

    async device(page: DevicePage, req: IncomingMessage): Promise<Answer> {
      const language = await languageOf(req);
      const { page: shown, brand } = brandedDevice(page, branding());
      const view = deviceView({ ...server, language }, shown, base + server.paths.deviceVerification);
      const html = await views.device({ ...view, brand });
      const isRefused = page.step === 'enter' && page.fault !== undefined;
      return pageAnswer(language, isRefused ? 400 : 200, html, dashboardHeaders);
    },

    async approvals(page: ApprovalsPage, req: IncomingMessage): Promise<Answer> {
      const language = await languageOf(req);
      const waiting = page.waiting.map(each => ({ ...each, client: branded(each.client, branding()).client }));
      const view = approvalsView({ ...server, language }, { ...page, waiting }, base + server.paths.approvals);
      const html = await views.approvals({ ...view, brand: sharedBrand(branding()) });
      return pageAnswer(language, 200, html, dashboardHeaders);
    },
  };
}

/** The page of a device, with the branding of its client. */
function brandedDevice(page: DevicePage, shared: Branding): { readonly page: DevicePage; readonly brand: PageBrand } {
  if (page.step === 'enter') return { page, brand: sharedBrand(shared) };
  const { client, brand } = branded(page.step === 'done' ? page.client : page.asked.client, shared);
  if (page.step === 'done') return { page: { ...page, client }, brand };
  return { page: { ...page, asked: { ...page.asked, client } }, brand };
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
