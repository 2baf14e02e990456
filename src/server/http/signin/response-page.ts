import type { IncomingMessage } from 'node:http';
import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import type { PostedResponse } from '../../../protocol/dialect.ts';
import type { Answer } from '../answer.ts';
import { formPostHeaders, sourceOf } from '../security-headers.ts';
import type { FormPostView, Views } from '../views.ts';
import { languageOf, pageAnswer } from './language.ts';

type FormPost = { readonly kind: 'form_post' } & Omit<FormPostView, 'language'>;

/** The page that takes the answer to the client: by a form (OAuth 2.0 Form Post Response Mode §2), or by a message. */
export async function responsePage(
  { views, dialect }: { readonly views: Views } & Pick<AuthorizationServer, 'dialect'>,
  response: FormPost | PostedResponse,
  req: IncomingMessage,
): Promise<Answer> {
  const language = languageOf(req);
  if (response.kind === 'form_post') {
    const { action, parameters } = response;
    return pageAnswer(language, 200, await views.formPost({ language, action, parameters }), formPostHeaders);
  }
  const { origin } = response;
  const html = await views.message({ language, origin, message: dialect?.message(response) });
  return pageAnswer(language, 200, html, messageHeaders(origin));
}

/** The page that posts an answer as a message: the application may frame it, and nobody else. */
export function messageHeaders(application: string): Readonly<Record<string, string>> {
  const name = 'Content-Security-Policy';
  return { ...formPostHeaders, [name]: `${formPostHeaders[name]}; frame-ancestors ${sourceOf(application)}` };
}
