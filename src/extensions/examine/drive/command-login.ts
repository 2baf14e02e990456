import { type ChildProcess, spawn } from 'node:child_process';
import { kill } from 'node:process';
import type { ExamLogin } from '../driver.ts';
import type { ExamMcpServer, Taken } from '../exam-module.ts';
import { createTail } from './tail.ts';

/** Where a command runs. */
export interface CommandPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * A step by a command of the shell, such as a test of the app. Exit code 0: the app believes that somebody is signed in or,
 * after a sign-out, that nobody is. The command finds the issuer in `GRANTBOX_ISSUER`, the module in `GRANTBOX_MODULE`, the
 * step in `GRANTBOX_STEP`, and an address to open before a check in `GRANTBOX_OPEN`.
 */
export function commandLogin(command: string, { cwd, env }: CommandPlace): ExamLogin {
  return ({ issuer, module, step, open, mcp, signal }) => {
    const told = { GRANTBOX_ISSUER: issuer, GRANTBOX_MODULE: module, GRANTBOX_STEP: step, GRANTBOX_OPEN: open };
    const own = { ...env, ...told, ...mcpVariables(module, mcp) };
    // a group of its own, so that the browsers and servers that it starts end with it
    const child = spawn(command, { shell: true, detached: true, cwd, env: own, stdio: ['ignore', 'pipe', 'pipe'] });
    const tail = createTail();
    child.stdout.on('data', tail.add);
    child.stderr.on('data', tail.add);
    signal.addEventListener('abort', () => endGroup(child));
    return new Promise<Taken>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', code => {
        endGroup(child); // what it left behind
        resolve({ believed: (code === 0) !== (step === 'sign-out'), said: tail.text() });
      });
    });
  };
}

/** The address of the MCP server, and the variables by which a client of MCP's conformance kit finds its task. */
function mcpVariables(module: string, mcp: ExamMcpServer | undefined): Readonly<Record<string, string>> {
  if (mcp === undefined) return {};
  return {
    GRANTBOX_MCP_URL: mcp.url,
    MCP_CONFORMANCE_SCENARIO: `auth/${module}`,
    ...(mcp.client === undefined ? {} : { MCP_CONFORMANCE_CONTEXT: JSON.stringify(mcp.client) }),
  };
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    kill(-pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}
