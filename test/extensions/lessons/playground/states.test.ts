import { describe, expect, it } from 'vitest';
import { grants } from '../../../../src/extensions/lessons/playground/grants.ts';
import { wrongValue } from '../../../../src/extensions/lessons/playground/request.ts';
import { challengeOf, createStates } from '../../../../src/extensions/lessons/playground/states.ts';

describe('the grants of the playground', () => {
  it('use values that the learner chose, the page made, or an earlier answer gave', () => {
    const first = ['client_id', 'user', 'scope', 'redirect_uri', 'state', 'nonce', 'verifier', 'challenge', 'proof'];
    for (const { id, steps } of grants) {
      const known = new Set(first);
      for (const { fields, reads = {} } of steps) {
        const used = fields.flatMap(({ value }) => [...value.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
        expect([id, used.filter(name => name === undefined || !known.has(name))]).toEqual([id, []]);
        for (const name of Object.keys(reads)) known.add(name);
      }
    }
  });

  it('name a section of a specification for each parameter', () => {
    const all = grants.flatMap(({ steps }) => steps.flatMap(({ fields }) => fields));
    for (const { rfc, why } of all) expect([/§\d/.test(rfc), why.endsWith('.')]).toEqual([true, true]);
  });
});

describe('a state of the playground', () => {
  it('has the challenge of RFC 7636, appendix B', () => {
    const challenge = challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk');
    expect(challenge).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  });

  it('is kept for 200 browsers, and the oldest is forgotten first', () => {
    const states = createStates();
    const ids = Array.from({ length: 201 }, () => states.open().id);
    expect(states.size).toBe(200);
    expect(states.of(ids[0])).toBeUndefined();
    expect(states.of(ids[200])).toBeDefined();
  });

  it('makes the signature of a JWT wrong, and nothing that it signs', () => {
    for (const scheme of ['', 'Bearer ']) {
      const wrong = wrongValue('request', `${scheme}header.payload.signature`);
      expect(wrong).toBe(`${scheme}header.payload.signAture`);
    }
  });

  it.each(['state', 'scope', 'redirect_uri', 'code', 'grant_type', 'binding_message'])('has a wrong %s', name => {
    for (const right of ['', 'A', 'some-value-that-is-long']) expect(wrongValue(name, right)).not.toBe(right);
  });
});
