import { afterEach } from 'vitest';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import type { SandboxConfig } from '../../../../src/sandbox/config/sandbox-config.ts';

/** What a call answered: JSON as read, or undefined without a body. */
export interface Called {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  readonly body: any;
}

export interface ControlledSandbox {
  readonly sandbox: Sandbox;
  /** `method` and path under `/_sandbox`: `POST /clients`. */
  call(what: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Called>;
}

const started: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(sandbox => sandbox.stop()));
});

/** A sandbox for one test, with its control API over HTTP; `at` is the path of an issuer beside the first. */
export async function controlled(config: SandboxConfig = {}, at = ''): Promise<ControlledSandbox> {
  const sandbox = await createSandbox(config);
  started.push(sandbox);
  return {
    sandbox,
    async call(what, body, headers = {}) {
      const [method = '', path = ''] = what.split(' ');
      const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await fetch(`${sandbox.url}${at}/_sandbox${path}`, {
        ...{ method, headers: { ...type, ...headers } },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = /json/.test(response.headers.get('content-type') ?? '');
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
  };
}
