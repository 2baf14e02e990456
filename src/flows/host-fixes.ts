/** A piece of text to copy, and where it belongs. */
export interface HostLines {
  /** `environment of the sandbox`, `compose.yaml`, `application.properties`. */
  readonly where: string;
  readonly code: string;
}

/** A way to make one name of several. */
export interface HostFix {
  readonly id: 'keys' | 'issuer_name' | 'swap' | 'one_name' | 'backchannel' | 'allow';
  /** A sentence that begins with a verb. */
  readonly text: string;
  readonly lines: readonly HostLines[];
  /** Where the fix can be tried in this browser, before anything is changed. */
  readonly tryUrl?: string;
}

/** What a fix is made of. */
export interface FixContext {
  readonly issuer: string;
  /** What is said of it so far. */
  readonly allowedHosts: readonly string[];
  /** Of the JWK Set, with the path of the issuer. */
  readonly jwksPath: string;
  /** What the sandbox itself speaks; a proxy in front may speak another. */
  readonly scheme: 'http' | 'https';
  /** What there is already. */
  readonly backchannelUrl?: string;
}

const environment = 'environment of the sandbox';

/** The back end keeps its name for the keys alone. */
export function keysFix({ issuer, jwksPath }: FixContext, origin: string): HostFix {
  const prefix = 'spring.security.oauth2.resourceserver.jwt';
  return {
    id: 'keys',
    text: `Keep the issuer, and tell the back end only where the keys are.`,
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

/** Metadata says other addresses to who asks there. */
export function backchannelFix({ issuer, backchannelUrl }: FixContext, origin: string): HostFix {
  const replaced = backchannelUrl === undefined ? '' : ` It takes the place of ${new URL(backchannelUrl).origin}.`;
  return {
    id: 'backchannel',
    text: `Give back ends an address of their own: metadata asked for at ${origin} then names the token endpoint and the keys there, and the same issuer.${replaced}`,
    lines: [
      { where: environment, code: `BACKCHANNEL_URL=${origin}` },
      {
        where: 'the back end: where it reads metadata, and the issuer it expects',
        code: `${origin}${pathOf(issuer)}/.well-known/openid-configuration\n${issuer}`,
      },
    ],
  };
}

/** The same name inside and outside: a browser finds `*.localhost` by itself, the network by an alias. */
export function oneNameFix({ issuer, scheme }: FixContext, host: string): HostFix {
  const { hostname, port } = hostParts(host);
  const service = /^[a-z][\w-]*$/i.test(hostname) && hostname !== 'localhost' ? hostname : 'idp';
  const name = `${service}.localhost`;
  const at = port === '' ? new URL(issuer).port : port;
  const origin = `${scheme}://${name}${at === '' ? '' : `:${at}`}`;
  return {
    id: 'one_name',
    text: `Use one name for both: a browser takes ${name} to this machine, and a network alias takes the containers to the sandbox. Some images, and Chromium in each, take *.localhost to the container itself; \`docker compose exec <service> getent hosts ${name}\` tells.`,
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

/** The caller can reach the issuer by its own name. */
export function issuerNameFix({ issuer }: FixContext): HostFix {
  return {
    id: 'issuer_name',
    text: 'Use the name of the issuer there, too.',
    lines: [{ where: 'the application: its issuer, or authority', code: issuer }],
  };
}

/** What browsers call it becomes the issuer, and back ends keep what was the issuer. */
export function swapFix({ issuer }: FixContext, origin: string): HostFix {
  return {
    id: 'swap',
    text: 'Make the name that browsers use the issuer, and leave the other to the back ends.',
    lines: [
      {
        where: environment,
        code: `ISSUER=${origin}${pathOf(issuer)}\nBACKCHANNEL_URL=${new URL(issuer).origin}`,
      },
    ],
  };
}

export function allowFix({ allowedHosts }: FixContext, host: string): HostFix {
  const { hostname } = hostParts(host);
  const names = [...new Set([...allowedHosts, hostname.replace(/^\[(.*)\]$/, '$1')])];
  return {
    id: 'allow',
    text: 'Allow the name, if it is yours.',
    lines: [
      { where: environment, code: `ALLOWED_HOSTS=${names.join(',')}` },
      { where: 'clients.config.ts', code: `allowedHosts: [${names.map(name => `'${name}'`).join(', ')}],` },
    ],
  };
}

/** Whether a `Host` header can go into a line somebody will paste: it comes from strangers. */
export function isPlainHost(host: string): boolean {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9._-]*[a-z0-9])?)(:\d{1,5})?$/i.test(host);
}

/** Of an issuer; mostly empty. */
function pathOf(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/$/, '');
}

export function hostParts(host: string): { readonly hostname: string; readonly port: string } {
  const port = /:(\d{1,5})$/.exec(host)?.[1] ?? '';
  return { hostname: port === '' ? host : host.slice(0, -port.length - 1), port };
}

/** Names a browser takes to its own machine, and trusts without HTTPS (Secure Contexts §3.1). */
export function isThisMachine(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname) || hostname.endsWith('.localhost');
}
