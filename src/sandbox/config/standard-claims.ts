import type { JsonObject } from './json.ts';

/** Standard claims (OIDC Core §5.1). All are optional; custom claims are allowed. */
export interface StandardClaims {
  readonly name?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly middle_name?: string;
  readonly nickname?: string;
  readonly preferred_username?: string;
  readonly profile?: string;
  readonly picture?: string;
  readonly website?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly gender?: string;
  readonly birthdate?: string;
  readonly zoneinfo?: string;
  readonly locale?: string;
  readonly phone_number?: string;
  readonly phone_number_verified?: boolean;
  readonly address?: AddressClaim;
  /** Seconds since 1970. */
  readonly updated_at?: number;
}

/** OIDC Core §5.1.1. */
export interface AddressClaim extends JsonObject {
  readonly formatted?: string;
  readonly street_address?: string;
  readonly locality?: string;
  readonly region?: string;
  readonly postal_code?: string;
  readonly country?: string;
}
