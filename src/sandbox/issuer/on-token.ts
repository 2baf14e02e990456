import type { OnToken } from '../../protocol/token-rule.ts';
import { runAuth0Action } from '../../providers/auth0/action.ts';
import type { IssuerConfig } from '../config/config.ts';

/** Calls the function or the Action of a configuration. */
export const callOnToken = (
  onToken: NonNullable<IssuerConfig['onToken']>,
  event: Parameters<OnToken>[0],
): ReturnType<OnToken> => (typeof onToken === 'function' ? onToken(event) : runAuth0Action(onToken.auth0Action, event));
