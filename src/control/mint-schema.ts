import * as v from 'valibot';
import { entry, list, oneOf, text, wholeSeconds } from '../config/schema.ts';
import { defects } from '../faults/defects.ts';
import { defectNames } from '../faults/fault-names.ts';
import { signingAlgs } from '../oauth/tokens/signing-key.ts';
import { described, exactOptional, object } from './described.ts';
import { mintTypes } from './mint-request.ts';

/** Ten years either way, in seconds. */
const longest = 315_576_000;

const vocabulary = defectNames.map(name => `\`${name}\`: ${defects[name].about}`);

/** Schema of a mint call; `checkMint` checks conflicts between members. */
export const mintRequest = entry({
  client: described(text, 'The client_id it is for.'),
  user: exactOptional(text, 'sub, username or e-mail address; without it the client acts for itself.'),
  type: exactOptional(oneOf(mintTypes), 'What it is; access where it is left out.'),
  scope: exactOptional(
    v.string('text'),
    'Space-delimited, and any; all that the client is registered for where it is left out.',
  ),
  audience: exactOptional(
    v.union([text, list(text, 'texts')], 'text, or a list of texts'),
    'aud; as usual where it is left out.',
  ),
  claims: exactOptional(object, 'Claims to add, or to have in place of the usual ones; null leaves one out.'),
  lifetime: exactOptional(
    wholeSeconds(-longest, longest, 'ten years either way at most'),
    'From now to its end, ten years at most; negative for a token that has ended.',
  ),
  header: exactOptional(
    object,
    'Members of the JOSE header to add, or to have in place of the usual ones; null leaves one out.',
  ),
  alg: exactOptional(oneOf(signingAlgs), 'The algorithm; a key for it is made if there is none.'),
  format: exactOptional(oneOf(['jwt', 'opaque']), 'Of an access token; as usual where it is left out.'),
  defect: exactOptional(oneOf(defectNames), `What is wrong with it, on purpose. ${vocabulary.join(' ')}`),
  missing: exactOptional(text, 'The claim that missing_claim leaves out; exp where it is left out.'),
});
