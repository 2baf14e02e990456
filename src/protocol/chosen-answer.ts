/** Errors that a user can choose to send in place of an answer (RFC 6749 §4.1.2.1, OIDC Core §3.1.2.6). */
export const chosenErrors = [
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
  'temporarily_unavailable',
  'server_error',
] as const;

/** The chosen errors, and two answers without an error code: one with a wrong `state`, and none at all. */
export const chosenAnswers = [...chosenErrors, 'wrong_state', 'no_answer'] as const;
export type ChosenAnswer = (typeof chosenAnswers)[number];

export function isChosenAnswer(text: string): text is ChosenAnswer {
  return chosenAnswers.some(known => known === text);
}
