import { defined } from '../../../base/defined.ts';
import { atOnce } from '../../../base/turns.ts';
import { type HostFact, hostFacts, isForeign } from '../../flows/hosts.ts';
import type { Known } from '../known.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

const setup: ReadonlySet<string> = new Set(['discovery', 'jwks']);

/** Detects a read of the metadata or keys under a host that is not the issuer. */
export const foreignHost = detector(
  'foreign_host',
  { request: ({ event }, known) => (setup.has(event.endpoint) && isForeign(event, ownOf(known)) ? event : undefined) },
  (clues, _time, known) =>
    atOnce(hostFacts(clues, ownOf(known))).flatMap(fact => {
      const seen = clues.find(({ requestId }) => requestId === fact.uses[0]?.requestId);
      if (seen === undefined || !fact.isServed) return [];
      const title = `A caller reached this server as ${fact.host}`;
      return [failureIn(seen, title, () => explain(fact, known))];
    }),
);

function ownOf({ issuer, backchannelUrl }: Known) {
  return { issuer, ...defined({ backchannelUrl }) };
}

function explain({ host, uses }: HostFact, { issuer, base }: Known) {
  const { protocol } = new URL(issuer);
  const agent = uses[0]?.agent ?? '';
  return {
    comparison: sideBySide('Requested host', host, 'Issuer in every token', issuer),
    why: `${agent === '' ? 'A caller' : agent} read the metadata or the keys at ${host}, but tokens have iss ${issuer}. A library that compares the two refuses the metadata, or every token.`,
    others: ['The caller reads only the keys, and its issuer is configured by hand. Then nothing is wrong.'],
    fixes: [
      {
        text: 'Set the address that back ends use, so that browser and back end share one issuer.',
        snippets: [{ where: 'environment', code: `BACKCHANNEL_URL=${protocol}//${host}` }],
      },
      {
        text: `Or read only the keys at that address, and expect the issuer ${issuer}.`,
        snippets: [{ where: 'your API', code: `jwk-set-uri=${protocol}//${host}${base}/oauth2/jwks` }],
      },
      'See the page Connect, section Host names, for the lines for every library.',
    ],
    references: ['RFC 8414 §3.3', 'OIDC Discovery §4.3'],
  };
}
