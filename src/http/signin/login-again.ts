import type { LoginPreview } from '../../oauth/endpoints/preview-login.ts';
import type { ClaimsFault } from '../../oauth/users/typed-claims.ts';

/** Why the login page is shown again. */
export interface RefusedLogin {
  readonly notice: string;
  /** The subject or username that was typed. */
  readonly typed?: string | undefined;
}

/** The login page once more: what is wrong, and what was typed. */
export interface LoginAgain {
  readonly status: number;
  readonly notice?: string | undefined;
  readonly typed?: string | undefined;
  readonly editor?: EditorState | undefined;
  /** Whom somebody searched for. */
  readonly search?: string | undefined;
}

/** The claims editor of the login page as it stands. */
export interface EditorState {
  readonly sub: string;
  /** JSON, or what somebody took for it. */
  readonly claims: string;
  readonly isComplete: boolean;
  readonly keep: 'login' | 'user';
  readonly fault?: ClaimsFault;
  readonly preview?: LoginPreview;
  /** Names of what the preview shows as set. */
  readonly edited?: readonly string[];
}
