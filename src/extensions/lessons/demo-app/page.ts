import { type AppAccount, type AppRefusal, protectionNames } from './checks.ts';
import type { AppClient } from './sign-in.ts';
import type { AppState } from './visits.ts';
import { protectionWords, refusalWords } from './words.ts';

export type DemoAppPage = ReturnType<typeof pageOf>;

interface Shown {
  /** The path of the application. */
  readonly at: string;
  readonly issuer: string;
  /** The second provider; empty if there is none. */
  readonly second: string;
  readonly client: AppClient | undefined;
  readonly account: AppAccount | undefined;
  readonly refusal: AppRefusal | undefined;
}

/** All data that the page of the application shows. */
export function pageOf({ refusal, ...shown }: Shown, { protections, accounts }: AppState) {
  return {
    ...shown,
    accounts: [...accounts.values()],
    protections: protectionNames.map(name => ({ name, isOn: protections.has(name), ...protectionWords[name] })),
    refusal:
      refusal === undefined
        ? undefined
        : { text: refusalWords[refusal.why], sent: refusal.sent, expected: refusal.expected },
  };
}
