/** The function of a generated test that sends a request of the client. */
export const callHelper = `type Pairs = readonly (readonly [name: string, value: string])[];
type Sent = RequestInit & { readonly query?: Pairs; readonly form?: Pairs };

/** Sends a request. \`refusal\` is empty if it was accepted. */
async function call(url: string, { query = [], form, ...sent }: Sent = {}) {
  const target = new URL(url);
  for (const [name, value] of query) target.searchParams.append(name, value);
  const body = form && new URLSearchParams(form.map(([name, value]) => [name, value]));
  const response = await fetch(target, { ...sent, ...(body && { body }), redirect: 'manual' });
  const text = await response.text();
  const json = text.startsWith('{') ? JSON.parse(text) : {};
  const said = json.error ?? response.headers.get('www-authenticate') ?? '';
  const refusal = response.status < 400 ? '' : \`\${response.status} \${said} \${json.error_description ?? ''}\`.trim();
  const allowedOrigin = response.headers.get('access-control-allow-origin');
  return { response, text, json, refusal, allowedOrigin };
}`;

/** The function of a generated test that plays the browser at the authorization endpoint. */
export const visitHelper = `/** Opens the authorization endpoint as a browser does. \`answer\` has what the redirect carries back to the client. */
async function visit(url: string, query: Pairs) {
  const cookies = new Map<string, string>();
  const open = async (address: string, parameters: Pairs) => {
    const headers = { Cookie: [...cookies].map(pair => pair.join('=')).join('; ') };
    const opened = await call(address, { query: parameters, headers });
    for (const line of opened.response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = opened.response.headers.get('location');
    return { ...opened, next: location === null ? undefined : new URL(location, address) };
  };
  let page = await open(url, query);
  while (page.next?.origin === new URL(url).origin) page = await open(page.next.href, []);
  const posted = [...page.text.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]);
  const carried = page.next === undefined ? posted : [...page.next.searchParams, ...new URLSearchParams(page.next.hash.slice(1))];
  const answer: Record<string, string> = Object.fromEntries(carried);
  const shown = page.next === undefined && posted.length === 0 ? 'the browser was shown a page and not sent back' : '';
  const error = answer.error === undefined ? shown : \`\${answer.error} \${answer.error_description ?? ''}\`.trim();
  return { answer, refusal: page.refusal === '' ? error : page.refusal };
}`;
