/** Who signs people in, told at run time: the same build serves every environment, and every test. */
export interface AppConfig {
  readonly issuer: string;
  readonly client_id: string;
}

export async function loadConfig(): Promise<AppConfig> {
  const response = await fetch('/config.json');
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`);
  return response.json();
}
