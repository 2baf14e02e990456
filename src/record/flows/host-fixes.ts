/** Configuration to copy, and its place. */
export interface HostLines {
  /** `environment of the sandbox`, `compose.yaml`, `application.properties`. */
  readonly where: string;
  readonly code: string;
}

export interface HostFix {
  readonly id: 'keys' | 'issuer_name' | 'swap' | 'one_name' | 'backchannel' | 'allow';
  /** A sentence that begins with a verb. */
  readonly text: string;
  readonly lines: readonly HostLines[];
  /** A URL at which this browser can test the fix before anything is changed. */
  readonly tryUrl?: string;
}

/** The configuration that fixes build on. */
export interface FixContext {
  readonly issuer: string;
  /** The current setting. */
  readonly allowedHosts: readonly string[];
  /** Path of the JWK Set, including that of the issuer. */
  readonly jwksPath: string;
  /** The scheme of the sandbox itself; a proxy in front of it may use a different one. */
  readonly scheme: 'http' | 'https';
  /** The current setting, if any. */
  readonly backchannelUrl?: string;
}

const environment = 'environment of the sandbox';

/** Configures the back end with the issuer, and with its own host only for the keys. */
export function keysFix({ issuer, jwksPath }: FixContext, origin: string): HostFix {
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
export function backchannelFix({ issuer, backchannelUrl }: FixContext, origin: string): HostFix {
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
export function oneNameFix({ issuer, scheme }: FixContext, host: string): HostFix {
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

/** Configures the application with the issuer as it is. */
export function issuerNameFix({ issuer }: FixContext): HostFix {
  return {
    id: 'issuer_name',
    text: 'Use the host name of the issuer in the application.',
    lines: [{ where: 'the application: the issuer (authority)', code: issuer }],
  };
}

/** Makes the name that browsers use the issuer, and the old issuer the back-channel address. */
export function swapFix({ issuer }: FixContext, origin: string): HostFix {
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

/** Adds the host to `ALLOWED_HOSTS`. */
export function allowFix({ allowedHosts }: FixContext, host: string): HostFix {
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
export function isPlainHost(host: string): boolean {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9._-]*[a-z0-9])?)(:\d{1,5})?$/i.test(host);
}

/** The path of an issuer without a trailing slash; usually empty. */
function pathOf(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/$/, '');
}

/** Splits a `Host` header; the port is empty if there is none. */
export function hostParts(host: string): { readonly hostname: string; readonly port: string } {
  const port = /:(\d{1,5})$/.exec(host)?.[1] ?? '';
  return { hostname: port === '' ? host : host.slice(0, -port.length - 1), port };
}

/** Whether browsers resolve the name to their own machine, and trust it without HTTPS (Secure Contexts §3.1). */
export function isThisMachine(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname) || hostname.endsWith('.localhost');
}
