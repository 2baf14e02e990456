/** Values of `prompt` (OIDC Core §3.1.2.1). */
export const promptValues = ['none', 'login', 'consent', 'select_account'] as const;
