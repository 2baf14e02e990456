import { mustAccept } from '../judge.ts';

/** The first module of each plan for clients: nothing is wrong. */
export const baseline = mustAccept({
  id: 'test',
  suite: 'oidcc-client-test',
  title: 'Nothing is wrong',
  references: ['RFC 6749 §4.1', 'OIDC Core §3.1'],
  gain: 'Nothing else can be examined as long as nobody can sign in.',
  right: 'Signs in.',
  mend: 'Compare the client_id, the redirect URI and the issuer with the configuration of the sandbox.',
  faults: [],
  absent: 'The app sent no authorization request.',
  met: seen => seen.at('authorize'),
});
