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

/** The configuration that a diagnosis and its fixes depend on. */
export interface HostContext extends OwnAddresses, FixContext {}

export interface HostDiagnosis {
  readonly kind: 'backend_elsewhere' | 'backend_by_hand' | 'browser_elsewhere' | 'host_refused' | 'insecure_name';
  readonly host: string;
  /** True if something does not work; false for information. */
  readonly isProblem: boolean;
  readonly certainty: 'certain' | 'likely';
  /** Names the host and the issuer. */
  readonly title: string;
  /** The consequence, in sentences. */
  readonly words: string;
  readonly fixes: readonly HostFix[];
  /** The newest request with this host name. */
  readonly requestId: string;
}

/** Diagnoses the host names in requests. Empty if all requests use the configured addresses. */
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

/** A library that reads the metadata compares the issuer with its address. A back end that did not read it has its addresses in its configuration. */
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
    title: `A back end uses the host ${host}, but tokens have the issuer ${issuer}`,
    words: `The back end read the metadata at ${origin}, where the issuer is ${issuer}. A library that compares the two refuses the metadata and the tokens (OIDC Discovery §4.3).`,
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
    title: `A back end uses the host ${host}, and tokens have the issuer ${issuer}`,
    words: `The back end did not read the metadata there, so its configuration has the addresses (${[...new Set(calls)].slice(0, 3).join(', ')}). This works if it expects iss to be ${issuer}.`,
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
    title: `A browser uses the host ${host}, but tokens have the issuer ${issuer}`,
    words: `An application that is configured for ${scheme}://${host} refuses the response, because iss is ${issuer} (RFC 9207 §2.4). Cookies belong to one host, so a login at one name does not count at the other.`,
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
    title: `Requests for the host ${host} were refused with 421: this server answers as ${new URL(context.issuer).host}`,
    words:
      'The name is not a name of this machine, not that of the issuer, and not an allowed one. Without this check, a foreign website could read this sandbox through a host name that resolves to it (DNS rebinding).',
    fixes: isPlainHost(host) ? [...forBackend, allowFix(context, host)] : [],
    requestId: use?.requestId ?? '',
  };
}

/** Without a secure context, Chromium has no `crypto.subtle`, no clipboard and no `randomUUID` (measured). */
function insecureName({ host, side }: HostFact, { requestId }: HostUse, context: HostContext): HostDiagnosis[] {
  const scheme = side === 'issuer' ? new URL(context.issuer).protocol.slice(0, -1) : context.scheme;
  if (scheme === 'https' || isThisMachine(hostParts(host).hostname)) return [];
  return [
    {
      kind: 'insecure_name',
      host,
      isProblem: false,
      certainty: 'certain',
      title: `At http://${host} a browser has no WebCrypto and no clipboard; at http://localhost it has both`,
      words:
        'Browsers treat plain HTTP as secure only on localhost, 127.0.0.1 and names that end in .localhost. On other hosts, pages have no crypto.subtle. The pages of this sandbox do not need it, but an application there cannot compute a PKCE challenge with it.',
      fixes: isPlainHost(host) ? [oneNameFix(context, host)] : [],
      requestId,
    },
  ];
}
