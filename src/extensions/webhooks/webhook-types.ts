/** The types of webhooks, with the words of the page and of the documentation. */
export const webhookTypes = {
  'user.created': 'a user was created',
  'user.updated': 'members of a user were changed',
  'user.deleted': 'a user was deleted',
  'client.created': 'a client was created, or registered itself',
  'client.updated': 'members of a client were changed',
  'client.deleted': 'a client was deleted',
  'session.started': 'a user signed in',
  'session.ended': 'a session ended: by a logout, by a different user, or in the dashboard',
  'token.issued': 'an access token, refresh token or ID Token was issued',
  'token.revoked': 'all tokens of one authorization were revoked',
  'problem.found': 'a request was refused for a cause that this client did not have before',
} as const;

/** A type of webhooks: `user.created`. */
export type WebhookType = keyof typeof webhookTypes;

/** True for a type, `*`, or a group such as `user.*`. */
export function isWebhookPattern(text: string): boolean {
  return text === '*' || Object.keys(webhookTypes).some(type => type === text || text === groupOf(type));
}

/** Whether an endpoint with these patterns wants a type. */
export function wantsType(patterns: readonly string[], type: WebhookType): boolean {
  return patterns.some(pattern => pattern === '*' || pattern === type || pattern === groupOf(type));
}

function groupOf(type: string): string {
  return `${type.split('.', 1)[0]}.*`;
}
