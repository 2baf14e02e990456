import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';

/** Where the machine itself reaches this sandbox, which may listen everywhere. */
export function ownAddress({ host }: { readonly host: string }): string {
  if (host === 'localhost' || host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

export interface FormPost {
  /** Where this sandbox listens. */
  readonly address: string;
  readonly port: number;
  /** Whether it speaks HTTPS. */
  readonly isSecure: boolean;
  readonly path: string;
  readonly form: URLSearchParams;
}

/** Posts a form to this very sandbox over HTTP, as a client would (the dashboard's demo login). Loopback only. */
export async function postForm(post: FormPost): Promise<{ status: number; body: unknown }> {
  if (!post.isSecure) return postBy(request, post);
  const { requestOverTls } = await import('./secure-request.ts');
  return postBy(requestOverTls, post);
}

type Request = (options: RequestOptions, onResponse: (response: IncomingMessage) => void) => ClientRequest;

function postBy(send: Request, { address, port, path, form }: FormPost): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Host: `localhost:${port}` };
    const post = send({ host: address, port, path, method: 'POST', headers }, response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: parse(Buffer.concat(chunks).toString()) }),
      );
      response.on('error', reject);
    });
    post.on('error', reject);
    post.end(form.toString());
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
