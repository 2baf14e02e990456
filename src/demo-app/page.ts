import { type AppAccount, type AppRefusal, protectionNames } from './checks.ts';
import type { AppClient } from './sign-in.ts';
import type { AppState } from './visits.ts';
import { protectionWords, refusalWords } from './words.ts';

/** All data that the page of the application shows. */
export interface DemoAppPage {
  /** The path of the application. */
  readonly at: string;
  readonly issuer: string;
  /** The second provider; empty if there is none. */
  readonly second: string;
  readonly client: AppClient | undefined;
  readonly account: AppAccount | undefined;
  readonly accounts: readonly AppAccount[];
  readonly protections: readonly {
    readonly name: string;
    readonly isOn: boolean;
    readonly label: string;
    readonly against: string;
    readonly reference: string;
  }[];
  readonly refusal?: { readonly text: string; readonly sent: string; readonly expected: string } | undefined;
}

interface Shown {
  readonly at: string;
  readonly issuer: string;
  /** The second provider; empty if there is none. */
  readonly second: string;
  readonly client: AppClient | undefined;
  readonly account: AppAccount | undefined;
  readonly refusal: AppRefusal | undefined;
}

export function pageOf({ refusal, ...shown }: Shown, { protections, accounts }: AppState): DemoAppPage {
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
