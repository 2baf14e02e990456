import type { IncomingMessage } from 'node:http';
import type { Answer } from '../answer.ts';
import { formPostHeaders } from '../security-headers.ts';
import type { FormPostView, Views } from '../views.ts';
import { languageOf, pageAnswer } from './language.ts';

/** The page whose form takes the answer to the client (OAuth 2.0 Form Post Response Mode §2). */
export async function formPostPage(
  views: Views,
  { action, parameters }: Omit<FormPostView, 'language'>,
  req: IncomingMessage,
): Promise<Answer> {
  const language = await languageOf(req);
  return pageAnswer(language, 200, await views.formPost({ language, action, parameters }), formPostHeaders);
}
