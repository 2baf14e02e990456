import * as v from 'valibot';
import { isRecord } from '../../../../base/text/record.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { tokenRuleSchema } from '../../../config/token-rule-entry.ts';
import { described } from '../../described.ts';
import { refusedInput } from '../../refusal.ts';
import { currentRules, replaceRules } from '../../token-claims.ts';
import { operation } from '../operation.ts';

const rules = v.strictObject({ tokenClaims: described(v.array(tokenRuleSchema), 'The rules in their order') });

/** Rules for claims, while the sandbox runs. */
export const tokenClaimsOperations = [
  operation({
    name: 'listTokenClaims',
    method: 'GET',
    path: '/token-claims',
    summary: 'List the rules that add claims to tokens',
    answers: { 200: { description: 'The rules, as in a configuration file', schema: rules } },
    run: async (_input, { server }) => jsonAnswer(200, { tokenClaims: currentRules(server) }),
  }),
  operation({
    name: 'replaceTokenClaims',
    method: 'PUT',
    path: '/token-claims',
    changes: true,
    summary: 'Replace the rules that add claims to tokens, until a reset',
    body: rules,
    checksBody: true,
    answers: { 200: { description: 'The rules, which count from the next token on', schema: rules } },
    async run({ body }, controlled) {
      const { tokenClaims, ...others }: Readonly<Record<string, unknown>> = isRecord(body) ? body : {};
      const unknown = Object.keys(others).map(member => ({ member, expected: 'only the member tokenClaims' }));
      if (unknown.length > 0) throw refusedInput(unknown);
      return jsonAnswer(200, { tokenClaims: replaceRules(controlled, tokenClaims, 'api') });
    },
  }),
];
