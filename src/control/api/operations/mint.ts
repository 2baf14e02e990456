import * as v from 'valibot';
import { defectNames } from '../../../faults/fault-names.ts';
import { jsonAnswer } from '../../../http/answer.ts';
import { contextOf } from '../../../http/request-context.ts';
import { described, optional, text } from '../../described.ts';
import { mintToken } from '../../mint.ts';
import { type CheckedMint, mintTypes } from '../../mint-request.ts';
import { mintRequest } from '../../mint-schema.ts';
import { operation } from '../operation.ts';

const object = v.record(v.string(), v.unknown());

const minted = v.object({
  token: text('As it would have been sent'),
  type: v.picklist(mintTypes),
  tokenId: text('Its name in events, and of its page in the dashboard'),
  expires_in: described(v.number(), 'Seconds from now; negative for one that has ended'),
  header: optional(object, 'Of a JWT'),
  claims: optional(object, 'What it says, or stands for; not of a refresh token'),
  defect: v.optional(v.picklist(defectNames)),
});

/** Tokens that nobody asks for by a grant. */
export const mintOperations = [
  operation({
    name: 'mintToken',
    method: 'POST',
    path: '/tokens',
    summary: 'Make a token for any client, user, scope and audience, as good or as wrong as a test needs it',
    body: mintRequest,
    answers: {
      201: { description: 'The token', schema: minted },
      400: { description: 'What of the request cannot be, member by member; nothing was made' },
    },
    async run({ body, req }, { server }) {
      const { emit } = contextOf(req);
      // the schema has let nothing else through
      return jsonAnswer(201, await mintToken({ server, emit }, body as CheckedMint));
    },
  }),
];
