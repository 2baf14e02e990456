import * as v from 'valibot';
import { signingAlgs } from '../../protocol/tokens/signing-key.ts';
import { defects } from '../../server/faults/defects.ts';
import { defectNames } from '../../server/faults/fault-names.ts';
import { entry, list, oneOf, text, wholeSeconds } from '../config/schema.ts';
import { described, exactOptional, object } from './described.ts';
import { mintTypes } from './mint-request.ts';

/** Ten years either way, in seconds. */
const longest = 315_576_000;

const vocabulary = defectNames.map(name => `\`${name}\`: ${defects[name].about}`);

/** Schema of a mint call; `checkMint` checks conflicts between members. */
export const mintRequest = entry({
  client: described(text, 'The client_id of the client that the token is for.'),
  user: exactOptional(
    text,
    'The sub, username or e-mail address of a user. Default: none, the client acts for itself.',
  ),
  type: exactOptional(oneOf(mintTypes), 'The kind of token. Default: access.'),
  scope: exactOptional(v.string('text'), 'Space-delimited; any scope is allowed. Default: all scopes of the client.'),
  audience: exactOptional(
    v.union([text, list(text, 'texts')], 'text, or a list of texts'),
    'The aud claim. Default: as for a token that the client requests.',
  ),
  claims: exactOptional(object, 'Claims to add or replace; null removes a claim.'),
  lifetime: exactOptional(
    wholeSeconds(-longest, longest, 'at most ten years in either direction'),
    'Seconds from now to exp, at most ten years; negative for an expired token.',
  ),
  header: exactOptional(object, 'Members of the JOSE header to add or replace; null removes a member.'),
  alg: exactOptional(oneOf(signingAlgs), 'The signing algorithm. A key is made if there is none for it.'),
  format: exactOptional(
    oneOf(['jwt', 'opaque']),
    'The format of an access token. Default: as configured for the client.',
  ),
  defect: exactOptional(oneOf(defectNames), `The defect of the token, on purpose. ${vocabulary.join(' ')}`),
  missing: exactOptional(text, 'The claim that missing_claim removes. Default: exp.'),
});
