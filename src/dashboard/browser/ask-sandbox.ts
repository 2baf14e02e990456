import { base } from './page.ts';

export type SandboxAnswer = 'ready' | 'away' | 'signed-out';

const patienceMilliseconds = 5000;

/** Tells whether the sandbox answers. On the dashboard, it must also accept this browser. */
export async function askSandbox(path = '/dashboard/api/v1/unseen'): Promise<SandboxAnswer> {
  const options: RequestInit = { cache: 'no-store', signal: AbortSignal.timeout(patienceMilliseconds) };
  const response = await fetch(base + path, options).catch(() => undefined);
  if (response?.status === 401) return 'signed-out';
  return response?.ok === true ? 'ready' : 'away';
}
