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
    words: `An app that is configured for ${scheme}://${host} refuses the response, because iss is ${issuer} (RFC 9207 §2.4). Cookies belong to one host, so a sign-in at one name does not count at the other.`,
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
        'Browsers treat plain HTTP as secure only on localhost, 127.0.0.1 and names that end in .localhost. On other hosts, pages have no crypto.subtle. The pages of this sandbox do not need it, but an app there cannot compute a PKCE challenge with it.',
      fixes: isPlainHost(host) ? [oneNameFix(context, host)] : [],
      requestId,
    },
  ];
}

interface HostLines {
  readonly where: string;
  readonly code: string;
}

interface HostFix {
  readonly id: 'keys' | 'issuer_name' | 'swap' | 'one_name' | 'backchannel' | 'allow';
  readonly text: string;
  readonly lines: readonly HostLines[];
  /** A URL at which this browser can test the fix before anything is changed. */
  readonly tryUrl?: string;
}

interface FixContext {
  readonly issuer: string;
  readonly allowedHosts: readonly string[];
  /** Path of the JWK Set, including that of the issuer. */
  readonly jwksPath: string;
  /** The scheme of the sandbox itself; a proxy in front of it may use a different one. */
  readonly scheme: 'http' | 'https';
  readonly backchannelUrl?: string;
}

const environment = 'environment of the sandbox';

function keysFix({ issuer, jwksPath }: FixContext, origin: string): HostFix {
  const prefix = 'spring.security.oauth2.resourceserver.jwt';
  return {
    id: 'keys',
    text: `Keep the issuer, and configure only the URL of the keys in the back end.`,
    lines: [
      {
        where: 'application.properties',
        code: `${prefix}.issuer-uri=${issuer}\n${prefix}.jwk-set-uri=${origin}${jwksPath}`,
      },
      {
        where: 'Node, jose',
        code: `const keys = createRemoteJWKSet(new URL('${origin}${jwksPath}'));\nawait jwtVerify(token, keys, { issuer: '${issuer}' });`,
      },
    ],
  };
}

/** Sets `BACKCHANNEL_URL`, so that metadata fetched at that address names it in the endpoints. */
function backchannelFix({ issuer, backchannelUrl }: FixContext, origin: string): HostFix {
  const replaced = backchannelUrl === undefined ? '' : ` This replaces ${new URL(backchannelUrl).origin}.`;
  return {
    id: 'backchannel',
    text: `Configure a separate address for back ends. Metadata fetched at ${origin} then has the token endpoint and the keys at that address, and the same issuer.${replaced}`,
    lines: [
      { where: environment, code: `BACKCHANNEL_URL=${origin}` },
      {
        where: 'the back end: URL of the metadata, and the expected issuer',
        code: `${origin}${pathOf(issuer)}/.well-known/openid-configuration\n${issuer}`,
      },
    ],
  };
}

/** Uses one name inside and outside of containers: browsers resolve `*.localhost` themselves, the network by an alias. */
function oneNameFix({ issuer, scheme }: FixContext, host: string): HostFix {
  const { hostname, port } = hostParts(host);
  const service = /^[a-z][\w-]*$/i.test(hostname) && hostname !== 'localhost' ? hostname : 'idp';
  const name = `${service}.localhost`;
  const at = port === '' ? new URL(issuer).port : port;
  const origin = `${scheme}://${name}${at === '' ? '' : `:${at}`}`;
  return {
    id: 'one_name',
    text: `Use one name for both. A browser resolves ${name} to this machine, and a network alias resolves it to the sandbox in containers. Some images, and Chromium in every image, resolve *.localhost to the container itself. Check with \`docker compose exec <service> getent hosts ${name}\`.`,
    lines: [
      {
        where: 'compose.yaml',
        code: [
          'services:',
          `  ${service}:`,
          '    environment:',
          `      ISSUER: ${origin}${pathOf(issuer)}`,
          '    networks:',
          '      default:',
          `        aliases: [${name}]`,
        ].join('\n'),
      },
    ],
    tryUrl: `${origin}${pathOf(issuer)}/dashboard/connect`,
  };
}

function issuerNameFix({ issuer }: FixContext): HostFix {
  return {
    id: 'issuer_name',
    text: 'Use the host name of the issuer in the app.',
    lines: [{ where: 'the app: the issuer (authority)', code: issuer }],
  };
}

function swapFix({ issuer }: FixContext, origin: string): HostFix {
  return {
    id: 'swap',
    text: 'Make the name that browsers use the issuer, and keep the current name for back ends.',
    lines: [
      {
        where: environment,
        code: `ISSUER=${origin}${pathOf(issuer)}\nBACKCHANNEL_URL=${new URL(issuer).origin}`,
      },
    ],
  };
}

function allowFix({ allowedHosts }: FixContext, host: string): HostFix {
  const { hostname } = hostParts(host);
  const names = [...new Set([...allowedHosts, hostname.replace(/^\[(.*)\]$/, '$1')])];
  return {
    id: 'allow',
    text: 'Allow the host name, if it is yours.',
    lines: [
      { where: environment, code: `ALLOWED_HOSTS=${names.join(',')}` },
      { where: 'clients.config.ts', code: `allowedHosts: [${names.map(name => `'${name}'`).join(', ')}],` },
    ],
  };
}

/** Whether an untrusted `Host` header is safe to put into a line to paste. */
function isPlainHost(host: string): boolean {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9._-]*[a-z0-9])?)(:\d{1,5})?$/i.test(host);
}

function pathOf(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/$/, '');
}

function hostParts(host: string): { readonly hostname: string; readonly port: string } {
  const port = /:(\d{1,5})$/.exec(host)?.[1] ?? '';
  return { hostname: port === '' ? host : host.slice(0, -port.length - 1), port };
}

/** Whether browsers resolve the name to their own machine, and trust it without HTTPS (Secure Contexts §3.1). */
function isThisMachine(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname) || hostname.endsWith('.localhost');
}
