import type { AskedFault } from '../../../server/faults/fault.ts';
import { type ApiAnswer, isLetIn } from './api-call.ts';
import type { ApiJudged, ApiModule, ApiStage } from './api-module.ts';

/** The keys, as the modules before have left them. */
interface KeysNow {
  /** A token of a key that was withdrawn; undefined as long as no key was. */
  readonly withdrawn?: string;
  /** Whether the API has let in a token of the newest key. */
  readonly isKnown: boolean;
  /** Whether the API has asked for the keys during an outage since then. */
  readonly wasOut: boolean;
}

const keysNow = new WeakMap<ApiStage['issuer'], KeysNow>();

const stateOf = ({ issuer }: ApiStage): KeysNow => keysNow.get(issuer) ?? { isKnown: true, wasOut: false };

function change(stage: ApiStage, state: Partial<KeysNow>): void {
  keysNow.set(stage.issuer, { ...stateOf(stage), ...state });
}

/** Withdraws the keys that the API knows, so that it has to fetch the new ones. */
async function renew(stage: ApiStage): Promise<void> {
  if (!stateOf(stage).isKnown) return;
  const withdrawn = await stage.issuer.mint();
  await stage.issuer.rotate({ unpublish: true });
  change(stage, { withdrawn, isKnown: false, wasOut: false });
}

async function goodCall(stage: ApiStage): Promise<ApiAnswer> {
  const answer = await stage.call(stage.issuer.callWith(await stage.issuer.mint()));
  if (isLetIn(answer)) change(stage, { isKnown: true });
  return answer;
}

/** The good call, and once more after the time in which libraries do not fetch keys again. */
async function patientCall(stage: ApiStage): Promise<ApiAnswer> {
  const answer = await goodCall(stage);
  if (isLetIn(answer)) return answer;
  await stage.pause();
  return goodCall(stage);
}

/** Calls the API with a token of a new key, while the keys cannot be had. */
async function duringOutage(stage: ApiStage, fault: AskedFault) {
  await renew(stage);
  const call = async () => {
    const disturbance = await stage.issuer.disturbKeys(fault);
    const answer = goodCall(stage);
    const asked = await answer.then(disturbance.end, disturbance.end);
    return { answer: await answer, asked };
  };
  let seen = await call();
  if (!seen.asked.has('jwks') && !isLetIn(seen.answer)) {
    await stage.pause();
    seen = await call();
  }
  if (seen.asked.has('jwks')) change(stage, { wasOut: true });
  return seen;
}

const notAsked = {
  verdict: 'not_applicable',
  why: 'The API did not ask for the keys: it looks for none, or asks the issuer about each token.',
} as const;

const mend = ({ jwksUri }: { readonly jwksUri: string }) =>
  `Fetch the keys from ${jwksUri} with a limit of some seconds, and refuse the token (401 or 503) if that fails`;

/** An API without the keys cannot check a token, so it refuses it, and does not wait for ever. */
function outage(words: Pick<ApiModule, 'id' | 'title'>, fault: AskedFault): ApiModule {
  return {
    ...words,
    references: ['RFC 7515 §5.2', 'RFC 7517 §5'],
    gain: 'Somebody who can disturb the server of the keys calls the API with a token of their own.',
    right: 'Refuses the token within some seconds.',
    expects: 'refuse',
    needs: 'rotation',
    async run(stage): Promise<ApiJudged> {
      const { answer, asked } = await duringOutage(stage, fault);
      if (!asked.has('jwks')) return notAsked;
      if (answer.status === undefined)
        return { verdict: 'warn', why: `Without the keys, the API holds the call: ${answer.failure}.` };
      if (!isLetIn(answer)) return { verdict: 'pass', why: `The API answered ${answer.status}.` };
      if (asked.has('introspect') || asked.has('userinfo'))
        return { verdict: 'pass', why: 'The API asked the issuer about the token.' };
      return { verdict: 'fail', why: `The API cannot have the key of this token, and answered ${answer.status}.` };
    },
    mend,
  };
}

/** Outages of the keys, and keys that are withdrawn. They rotate the keys, and so come last. */
export const keyModules: readonly ApiModule[] = [
  outage({ id: 'keys-500', title: 'The keys are asked for, and the server answers 500' }, { fault: 'server_error' }),
  outage(
    { id: 'keys-redirect', title: 'The keys are asked for, and the server leads to another page' },
    { fault: 'redirected' },
  ),
  outage(
    { id: 'keys-html', title: 'The keys are asked for, and a page in HTML comes' },
    { fault: 'html_instead_of_json' },
  ),
  outage({ id: 'keys-slow', title: 'The keys are asked for, and no response comes' }, { fault: 'no_answer' }),
  outage({ id: 'keys-empty', title: 'The keys are asked for, and there are none' }, { fault: 'keys_empty' }),
  {
    id: 'keys-back',
    title: 'A good token after an outage of the keys',
    references: ['RFC 7517 §5', 'OIDC Core §10.1.1'],
    gain: 'Nobody can call the API after a short outage until it is started again.',
    right: 'Fetches the keys again, half a minute later at the latest.',
    expects: 'accept',
    needs: 'rotation',
    async run(stage) {
      if (!stateOf(stage).wasOut) await duringOutage(stage, { fault: 'server_error' });
      return stateOf(stage).wasOut ? patientCall(stage) : notAsked;
    },
    mend: ({ jwksUri }) => `Keep no failed answer of ${jwksUri}: a later call must ask again`,
  },
  {
    id: 'key-withdrawn',
    title: 'A token of a key that was withdrawn',
    references: ['RFC 7517 §5', 'RFC 9068 §4'],
    gain: 'After a leak the key is withdrawn, and the thief still makes tokens with it.',
    right: 'Forgets the keys that are no longer in the JWK Set when it fetches it.',
    expects: 'refuse',
    needs: 'rotation',
    async run(stage) {
      if (stateOf(stage).withdrawn === undefined) await renew(stage);
      const { withdrawn = '', isKnown } = stateOf(stage);
      if (!isKnown && !isLetIn(await patientCall(stage)))
        return {
          verdict: 'inconclusive',
          why: 'The API has not fetched the new keys, so nobody can tell whether it forgets the old ones.',
        };
      return stage.call(stage.issuer.callWith(withdrawn));
    },
    mend: ({ jwksUri }) => `Replace the whole set by the one from ${jwksUri}; do not add to it`,
  },
];
