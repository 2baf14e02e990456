/** The limits of webhooks. */
export const limits = {
  /** Endpoints of one issuer. */
  endpoints: 20,
  /** Deliveries of one endpoint that wait for an attempt; a further one is dropped, and the page says so. */
  waiting: 500,
  /** Deliveries of one issuer that are kept to look at; the oldest finished one goes first. */
  kept: 1000,
  /** Characters of all messages that are kept, roughly: finished ones go, and then a further delivery is dropped. */
  characters: 32 * 1024 * 1024,
  /** Longest wait for the answer to one attempt, in milliseconds. */
  answerMs: 5000,
  /** Characters of an answer that are kept. */
  answerText: 2000,
  /** Tokens that one message names. */
  tokens: 50,
  /** Seconds for which a replica's claim of a message holds. */
  claim: 86_400,
} as const;

/** Seconds of the sandbox's clock between the attempts of one delivery: after six attempts it has failed. */
export const retrySeconds: readonly number[] = [5, 30, 120, 600, 3600];

/** The longest `Retry-After` that is obeyed, in seconds. */
export const longestRetryAfter = 3600;
