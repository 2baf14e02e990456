import type { Case } from './case.ts';

/** The address a request has, as its sender has to know it: by the issuer, whatever name it was called by. */
export function exactUrls({ known, request, error }: Case): readonly string[] {
  const told = (error.expected ?? '').split(' or ').filter(each => /^https?:\/\//.test(each));
  if (told.length > 0 && told.every(each => URL.canParse(each))) return told;
  return request === undefined ? [] : [new URL(known.issuer).origin + request.path];
}
