import type { RegisteredClient } from '../clients/client.ts';
import type { AuthorizationDetail } from '../requests/authorization-details.ts';
import type { Session } from '../users/session.ts';
import type { TestUser } from '../users/user.ts';

/** A login that leads to a page of ours and not to a client. */
export interface SignInPage {
  /** What the user signs in for. */
  readonly purpose: 'device' | 'approvals';
  /** Of who is signed in already, and may be changed. */
  readonly session?: Session;
  /** Who is expected. */
  readonly hinted?: TestUser;
}

/** What a client asks a user for. */
export interface Asked {
  readonly client: RegisteredClient;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  readonly authorization_details: readonly AuthorizationDetail[];
  /** Seconds. */
  readonly expiresIn: number;
}

/** Why a user code leads nowhere. */
export type UserCodeFault = 'unknown' | 'expired' | 'used';

/** Where the user of a device types its code, decides, and is told what became of it (RFC 8628 §3.3). */
export type DevicePage = { readonly session: Session } & (
  | { readonly step: 'enter'; readonly typed?: string; readonly fault?: UserCodeFault }
  | {
      readonly step: 'confirm';
      readonly user_code: string;
      readonly asked: Asked;
      /** Somebody else is signed in than when the page was shown. */
      readonly userChanged: boolean;
    }
  | { readonly step: 'done'; readonly decision: 'approved' | 'denied'; readonly client: RegisteredClient }
);

/** What waits for the user who is signed in (OIDC CIBA §8). */
export interface ApprovalsPage {
  readonly session: Session;
  readonly waiting: readonly (Asked & { readonly id: string; readonly binding_message?: string })[];
  /** What was decided a moment ago. */
  readonly outcome?: {
    readonly client?: RegisteredClient;
    /** `gone` where it was not there any more: expired, or decided elsewhere. */
    readonly decision: 'approved' | 'denied' | 'gone';
  };
}
