import * as v from 'valibot';
import { defectNames } from '../../../../server/faults/fault-names.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { contextOf } from '../../../../server/http/request-context.ts';
import { described, optional, text } from '../../described.ts';
import { mintToken } from '../../mint.ts';
import { type CheckedMint, mintTypes } from '../../mint-request.ts';
import { mintRequest } from '../../mint-schema.ts';
import { operation } from '../operation.ts';

const object = v.record(v.string(), v.unknown());

const minted = v.object({
  token: text('The token as a client would receive it'),
  type: v.picklist(mintTypes),
  tokenId: text('The id of the token in events and in the dashboard'),
  expires_in: described(v.number(), 'Seconds until it expires; negative if it has expired'),
  header: optional(object, 'The JOSE header, for a JWT'),
  claims: optional(object, 'The claims; absent for a refresh token'),
  defect: v.optional(v.picklist(defectNames)),
});

/** Tokens that nobody asks for by a grant. */
export const mintOperations = [
  operation({
    name: 'mintToken',
    method: 'POST',
    path: '/tokens',
    summary: 'Issue a token for any client, user, scope and audience, valid or with a defect',
    body: mintRequest,
    answers: {
      201: { description: 'The token', schema: minted },
      400: { description: 'The members that are not valid; no token was issued' },
    },
    async run({ body, req }, { server }) {
      const { emit } = contextOf(req);
      // the schema has let nothing else through
      return jsonAnswer(201, await mintToken({ server, emit }, body as CheckedMint));
    },
  }),
];
