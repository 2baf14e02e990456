/**
 * Checks that a lab leaves out for its own clients while the defence is off, so that learners can see the attack. No
 * configuration, request or call of the control API can ask for one.
 */
export const relaxationNames = ['pkce_absent', 'pkce_downgrade', 'redirect_prefix', 'device_warning'] as const;
export type Relaxation = (typeof relaxationNames)[number];

/** The relaxations of a lab. They are asked for each request, because the learner switches the defence. */
export interface Relaxations {
  has(name: Relaxation): boolean;
}

/** Whether a check is left out for a client: only in a lab, and only for the clients of the lab. */
export function isRelaxed(
  { relaxations }: { readonly relaxations?: Relaxations | undefined },
  client_id: string,
  name: Relaxation,
): boolean {
  return relaxations !== undefined && client_id.startsWith('lab-') && relaxations.has(name);
}
