/** Three or five base64url parts, the first of which is JSON, with quotes or a scheme around them. */
const form = /^\s*(?:bearer\s+)?["']?ey[\w-]+\.[\w-]*\.[\w.-]*["']?\s*$/i;

/** Whether the text is a JWT of any issuer, not a filter. */
export function isPastedJwt(text: string): boolean {
  return form.test(text);
}
