import type { IncomingMessage } from 'node:http';
import { defined } from '../../../base/defined.ts';
import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import type { ConsentAnswer } from '../../../protocol/endpoints/consent.ts';
import { parameter, parseParameters, type RequestParameters } from '../../../protocol/parameters.ts';
import type { Adapter, HandlerOutcome } from '../adapter.ts';
import { redirectAnswer } from '../answer.ts';
import type { Cookies } from '../cookies.ts';
import { rawQuery, readOwnForm } from '../read-parameters.ts';

export interface ConsentOptions {
  readonly server: AuthorizationServer;
  readonly adapter: Adapter;
  readonly cookies: Cookies;
  /** Path of the authorization endpoint. */
  readonly authorizePath: string;
}

const browserLifetime = 365 * 24 * 3600;

/**
 * `POST /consent?<the authorization request>`: keeps the user's answer and sends the browser back to the authorization
 * endpoint with the same query, or tells the client that the user denied.
 */
export function createConsent(options: ConsentOptions): (req: IncomingMessage) => Promise<HandlerOutcome> {
  const { server, adapter, cookies, authorizePath } = options;
  return async req => {
    const form = await readOwnForm(req);
    const request = adapter.endpointRequest(req, parseParameters(rawQuery(req)));
    const isRemembered = parameter(form, 'remember') !== undefined && parameter(form, 'decision') === 'allow';
    const browserId = isRemembered ? (request.browserId ?? server.random.secret()) : undefined;
    const returnTo = `${authorizePath}?${rawQuery(req)}`;
    const { answerConsent } = await import('../../../protocol/endpoints/consent.ts');
    const reply = await answerConsent(server, request, readAnswer(form, returnTo, browserId));
    const isBack = reply.kind === 'redirect' && reply.location === returnTo;
    if (browserId === undefined || !isBack) return reply;
    const cookie = cookies.set(cookies.browser, browserId, browserLifetime);
    return { ...redirectAnswer(303, returnTo), cookies: [cookie] };
  };
}

/** Each box has its own field name, `scope:email`; boxes that are not ticked are not sent. */
function readAnswer(form: RequestParameters, returnTo: string, browserId: string | undefined): ConsentAnswer {
  const ticked = (kind: string) =>
    [...form.values].flatMap(([name, value]) =>
      name.startsWith(`${kind}:`) && value !== '' ? [name.slice(kind.length + 1)] : [],
    );
  return {
    allow: parameter(form, 'decision') === 'allow',
    sid: parameter(form, 'sid') ?? '',
    scopes: new Set(ticked('scope')),
    claims: new Set(ticked('claim')),
    details: new Set(ticked('detail').map(Number)),
    returnTo,
    ...defined({ browserId }),
  };
}
