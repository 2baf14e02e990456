import { afterAll, beforeAll, describe } from 'vitest';
import { commonModules, staticClients } from './modules.ts';
import { configured, type Op, startOp } from './party.ts';

let op: Op;
beforeAll(async () => {
  op = await startOp(staticClients);
});
afterAll(() => op[Symbol.asyncDispose]());

const clients = {
  party: () => configured(op, staticClients, 'client_secret_basic'),
  other: () => configured(op, staticClients, 'client_secret_post'),
};

describe('the basic plan', () => {
  commonModules({ ...clients, response_type: 'code' });
});

describe.each(['id_token', 'id_token token'])('the implicit plan, %s', response_type => {
  commonModules({ ...clients, response_type });
});

describe.each(['code id_token', 'code token', 'code id_token token'])('the hybrid plan, %s', response_type => {
  commonModules({ ...clients, response_type });
});
