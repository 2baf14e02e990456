import { openSite } from '../site.ts';

/** The website of the test clients: serves their documents and keeps what is posted to it. */
export type DocumentSite = Awaited<ReturnType<typeof openDocumentSite>>;

export async function openDocumentSite() {
  const documents = new Map<string, { readonly headers: Readonly<Record<string, string>>; readonly body: string }>();
  const { elsewhere, requests, close } = await openSite(
    ({ method, url }) => documents.get(url.pathname) ?? { status: method === 'POST' ? 200 : 404 },
  );
  return {
    /** Without a trailing slash. */
    url: elsewhere,
    /** Serves a document from now on; returns its URL. */
    publish(path: string, type: string, body: string): string {
      documents.set(path, { headers: { 'Content-Type': type }, body });
      return elsewhere + path;
    },
    /** The last POST request to this path. */
    received: (path: string) => requests.findLast(({ method, url }) => method === 'POST' && url.pathname === path),
    close,
  };
}
