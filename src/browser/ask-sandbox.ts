export type SandboxAnswer = 'ready' | 'away' | 'signed-out';

const patienceMilliseconds = 5000;

/** Whether the sandbox answers now, and on the dashboard whether it answers this browser. */
export async function askSandbox(path = '/dashboard/api/v1/unseen'): Promise<SandboxAnswer> {
  const { base = '' } = document.documentElement.dataset;
  const options: RequestInit = { cache: 'no-store', signal: AbortSignal.timeout(patienceMilliseconds) };
  const response = await fetch(base + path, options).catch(() => undefined);
  if (response?.status === 401) return 'signed-out';
  return response?.ok === true ? 'ready' : 'away';
}
