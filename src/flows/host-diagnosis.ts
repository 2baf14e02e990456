import {
  allowFix,
  backchannelFix,
  type FixContext,
  type HostFix,
  hostParts,
  isPlainHost,
  issuerNameFix,
  isThisMachine,
  keysFix,
  oneNameFix,
  swapFix,
} from './host-fixes.ts';
import type { HostFact, HostUse, OwnAddresses } from './hosts.ts';

export interface HostContext extends OwnAddresses, FixContext {}

/** What it means that somebody uses a name, and the lines that make one name of two. */
export interface HostDiagnosis {
  readonly kind: 'backend_elsewhere' | 'backend_by_hand' | 'browser_elsewhere' | 'host_refused' | 'insecure_name';
  readonly host: string;
  /** Whether something does not work; otherwise it is good to know. */
  readonly isProblem: boolean;
  readonly certainty: 'certain' | 'likely';
  /** Names both values. */
  readonly title: string;
  /** What follows from it, plain words. */
  readonly words: string;
  readonly fixes: readonly HostFix[];
  /** The newest request that shows it. */
  readonly requestId: string;
}

/** What is wrong with the names this server is reached by. Nothing, where everybody uses the addresses it was given. */
export function diagnoseHosts(facts: readonly HostFact[], context: HostContext): readonly HostDiagnosis[] {
  return facts.flatMap(fact => {
    const backend = fact.uses.find(({ caller }) => caller === 'backend');
    const browser = fact.uses.find(({ caller }) => caller === 'browser');
    if (!fact.isServed) return fact.side === 'other' ? [refused(fact, backend ?? browser, context)] : [];
    return [
      ...(backend === undefined || fact.side !== 'other' ? [] : [ofBackend(fact, context)]),
      ...(browser === undefined || fact.side !== 'other' ? [] : [browserElsewhere(fact, browser, context)]),
      ...(browser === undefined ? [] : insecureName(fact, browser, context)),
    ];
  });
}

/** With metadata a library compares the address it asked with what it is told; without, somebody wrote the addresses down. */
function ofBackend(fact: HostFact, context: HostContext): HostDiagnosis {
  const uses = fact.uses.filter(({ caller }) => caller === 'backend');
  const reader = uses.find(({ calls }) => calls.some(({ endpoint }) => endpoint === 'discovery'));
  return reader === undefined ? backendByHand(fact, uses, context) : backendElsewhere(fact, reader, context);
}

function backendElsewhere({ host }: HostFact, use: HostUse, context: HostContext): HostDiagnosis {
  const { issuer } = context;
  const origin = `${context.scheme}://${host}`;
  return {
    kind: 'backend_elsewhere',
    host,
    isProblem: true,
    certainty: 'likely',
    title: `A back end reached us as ${host}, and tokens say ${issuer}`,
    words: `It read the metadata there. A library that compares the issuer with the address it asked refuses both the metadata and the tokens (OIDC Discovery §4.3): it knows ${origin}, and iss is ${issuer}.`,
    fixes: backendFixes(host, context),
    requestId: use.requestId,
  };
}

function backendFixes(host: string, context: HostContext): HostFix[] {
  if (!isPlainHost(host)) return [];
  const origin = `${context.scheme}://${host}`;
  const [issuerName, thisName] = [new URL(context.issuer).hostname, hostParts(host).hostname];
  if (isThisMachine(thisName) && isThisMachine(issuerName))
    return [issuerNameFix(context), backchannelFix(context, origin)];
  return [keysFix(context, origin), oneNameFix(context, host), backchannelFix(context, origin)];
}

function backendByHand({ host }: HostFact, uses: readonly HostUse[], { issuer }: HostContext): HostDiagnosis {
  const calls = uses.flatMap(use => use.calls).map(({ method, path }) => `${method} ${path}`);
  return {
    kind: 'backend_by_hand',
    host,
    isProblem: false,
    certainty: 'likely',
    title: `A back end reaches us as ${host}, and tokens say ${issuer}`,
    words: `It read no metadata there, so its addresses are written down (${[...new Set(calls)].slice(0, 3).join(', ')}). That is all right as long as it compares iss with ${issuer}.`,
    fixes: [],
    requestId: uses[0]?.requestId ?? '',
  };
}

function browserElsewhere({ host }: HostFact, { requestId }: HostUse, context: HostContext): HostDiagnosis {
  const { issuer, scheme } = context;
  return {
    kind: 'browser_elsewhere',
    host,
    isProblem: true,
    certainty: 'likely',
    title: `A browser reached us as ${host}, and tokens say ${issuer}`,
    words: `An application that knows us as ${scheme}://${host} refuses the answer, because iss is ${issuer} (RFC 9207 §2.4). And cookies belong to a host: who is logged in at one name is not at the other.`,
    fixes: browserFixes(host, context),
    requestId,
  };
}

function browserFixes(host: string, context: HostContext): HostFix[] {
  if (!isPlainHost(host)) return [];
  const issuerName = new URL(context.issuer).hostname;
  const isHere = isThisMachine(hostParts(host).hostname);
  if (isHere && !isThisMachine(issuerName))
    return [swapFix(context, `${context.scheme}://${host}`), oneNameFix(context, hostParts(issuerName).hostname)];
  return isHere ? [issuerNameFix(context)] : [issuerNameFix(context), oneNameFix(context, host)];
}

function refused({ host }: HostFact, use: HostUse | undefined, context: HostContext): HostDiagnosis {
  const origin = `${context.scheme}://${host}`;
  const forBackend = use?.caller === 'backend' ? [backchannelFix(context, origin)] : [];
  return {
    kind: 'host_refused',
    host,
    isProblem: true,
    certainty: 'certain',
    title: `Requests for ${host} were refused with 421: we answer as ${new URL(context.issuer).host}`,
    words:
      'The name is neither of this machine, nor of the issuer, nor an allowed one. Without this check a foreign page could read this sandbox by a name of its own that leads here.',
    fixes: isPlainHost(host) ? [...forBackend, allowFix(context, host)] : [],
    requestId: use?.requestId ?? '',
  };
}

/** Measured in Chromium: without a secure context there is no `crypto.subtle`, no clipboard, no `randomUUID`. */
function insecureName({ host, side }: HostFact, { requestId }: HostUse, context: HostContext): HostDiagnosis[] {
  const scheme = side === 'issuer' ? new URL(context.issuer).protocol.slice(0, -1) : context.scheme;
  if (scheme === 'https' || isThisMachine(hostParts(host).hostname)) return [];
  return [
    {
      kind: 'insecure_name',
      host,
      isProblem: false,
      certainty: 'certain',
      title: `Over http://${host} a browser has no WebCrypto and no clipboard; over http://localhost it has both`,
      words:
        'Plain HTTP counts as secure on localhost, 127.0.0.1 and names that end in .localhost only. Elsewhere pages have no crypto.subtle: those of this sandbox do without, but an application under such a name cannot make PKCE with it.',
      fixes: isPlainHost(host) ? [oneNameFix(context, host)] : [],
      requestId,
    },
  ];
}
