import type { Request } from 'express';
import { readForm } from '../server/http/read-parameters.ts';

/**
 * Reads a form that a page of the dashboard sent.
 * @throws invalid_request with 415 for a different content type, with 413 above 64 KiB
 */
export async function formOf(req: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await readForm(req));
}
