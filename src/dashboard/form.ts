import type { Request } from 'express';
import { readForm } from '../http/read-parameters.ts';

/**
 * The form a page of the dashboard sent.
 * @throws invalid_request with 415 for another content type, 413 before more than 64 KiB are read
 */
export async function formOf(req: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await readForm(req));
}
