import { recordIn } from '../../base/text/record.ts';
import {
  type ConnectOptions,
  type ControlCall,
  createControlCalls,
  issuerUrl,
  readPage,
} from '../../client/remote/control-calls.ts';

/** A call of one tool. `name` begins the sentence of a failure. */
export type ToolCall = Omit<ControlCall, 'name' | 'method'> & { readonly method?: ControlCall['method'] };

/** The running sandbox, as the tools use it. Nothing is connected before the first call. */
export type SandboxCalls = Awaited<ReturnType<typeof createSandboxCalls>>;

/**
 * Calls on behalf of the tool with this name. The issuer is looked up for each tool, because the sandbox may start later than
 * the agent, or again with another preset.
 * @throws Error if the sandbox does not answer
 */
export async function createSandboxCalls(name: string, address: string, options: ConnectOptions, signal: AbortSignal) {
  const base = await issuerUrl(name, address, { ...options, signal });
  const calls = createControlCalls(base, options);
  /** Reads a text of the issuer, such as its metadata; undefined if there is nothing at this path. */
  async function text(path: string): Promise<string | undefined> {
    const { status, text: content } = await readPage(name, base, path, { ...options, signal });
    if (status === 200) return content;
    if (status === 404) return undefined;
    if (status === 401) throw new Error(`${name}: the sandbox requires its CONTROL_TOKEN: start grantbox mcp with it`);
    throw new Error(`${name}: ${base + path} answered ${status}`);
  }
  return {
    /** The URL of the issuer, without a trailing slash. */
    base,
    /**
     * Calls the control API; undefined for an answer without content.
     * @throws TypeError with the reason of a refusal, Error if the sandbox does not answer
     */
    ask: async ({ method = 'GET', ...call }: ToolCall) => (await calls({ ...call, name, method, signal })).content,
    text,
    /**
     * Reads JSON below `/dashboard`; undefined if there is nothing at this path.
     * @throws Error if the dashboard is off, or asks for the control token
     */
    async dashboard(path: string) {
      const content = await text(`/dashboard${path}`);
      if (content !== undefined) return recordIn(content);
      if ((await text('/dashboard/api/v1/problems')) !== undefined) return undefined;
      throw new Error(
        `${name}: the dashboard explains problems and flows, and it is off: start the sandbox with DASHBOARD=on`,
      );
    },
  };
}
