import type { Reason } from '../../oauth/errors.ts';
import type { Fix } from './fix.ts';

/** Refusals of what a user should allow, and of how the user logged in. */
export const consentFixes = {
  acr_unmet: {
    fix: 'Ask for an acr this server can reach, or make the claim voluntary. ACR_VALUES is the list; without it every value is believed.',
    rfc: 'RFC 9470 §5',
  },
  authorization_details_malformed: {
    fix: 'Send a JSON array of objects, each with a type and the fields that type has in authorizationDetailsTypes.',
    rfc: 'RFC 9396 §5',
  },
  authorization_details_type_not_registered: {
    fix: "Add the type to the client's authorization_details_types, or leave that member out to allow them all.",
    rfc: 'RFC 9396 §10',
  },
  authorization_details_type_unknown: {
    fix: 'Declare the type in authorizationDetailsTypes; the metadata lists those there are.',
    rfc: 'RFC 9396 §5',
  },
  authorization_details_widened: {
    fix: 'A token request may ask for some of the granted objects, or for fewer elements of their lists, never for more.',
    rfc: 'RFC 9396 §6',
  },
  claims_malformed: {
    fix: 'Send claims as a JSON object with userinfo and id_token; each claim is null or an object with essential, value or values.',
    rfc: 'OIDC Core §5.5',
  },
  consent_required: {
    fix: 'Send the request once without prompt=none, so that the user can be asked; with Remember ticked, later silent ones succeed.',
    rfc: 'OIDC Core §3.1.2.6',
  },
} as const satisfies Partial<Record<Reason, Fix>>;
