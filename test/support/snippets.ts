const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#34': '"', '#39': "'" };

/** The snippets as the page for a client shows them, by id: what somebody would copy. */
export async function snippetsOf(url: string, client = ''): Promise<(id: string) => string> {
  const response = await fetch(`${url}/dashboard/connect?${new URLSearchParams({ client })}`);
  const html = await response.text();
  const codes = new Map(
    [...html.matchAll(/<pre id="code-([a-z0-9-]+)"[^>]*>([\s\S]*?)<\/pre>/g)].map(([, id = '', code = '']) => [
      id,
      textOf(code), // the colours of JSON are elements
    ]),
  );
  return id => {
    const code = codes.get(id);
    if (code === undefined) throw new Error(`no snippet ${id} on the page, but ${[...codes.keys()].join(' ')}`);
    return code;
  };
}

/** The text of the element with this id, without the elements in it. */
export function textOfElement(html: string, id: string): string {
  const [, content] = new RegExp(`<pre id="${id}"[^>]*>([\\s\\S]*?)</pre>`).exec(html) ?? [];
  if (content === undefined) throw new Error(`there is no ${id} on the page`);
  return textOf(content);
}

function textOf(html: string): string {
  return html.replace(/<[^>]+>/g, '').replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
