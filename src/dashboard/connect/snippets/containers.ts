import type { ConnectFacts } from './facts.ts';
import { oneLine, yaml } from './literals.ts';
import type { Snippet } from './snippet.ts';

/** The sandbox beside other containers, on a desk and in a pipeline. */
export function containers(facts: ConnectFacts): readonly Snippet[] {
  return [compose(facts), gitHubActions(facts), gitLab(facts)];
}

/** The name of the sandbox among the containers: that of the back-channel address, where one is said. */
function serviceOf({ backchannelUrl }: ConnectFacts): string {
  const { hostname } = new URL(backchannelUrl ?? 'http://idp');
  return /^[a-z][a-z0-9-]*$/.test(hostname) && hostname !== 'localhost' ? hostname : 'idp';
}

/** The image listens here. */
const innerPort = 9000;

/** The same addresses, as they are among the containers. */
function inside(facts: ConnectFacts): { readonly origin: string; readonly jwks: string; readonly discovery: string } {
  const { issuer, at } = facts;
  const origin = `http://${serviceOf(facts)}:${innerPort}`;
  const moved = (url: string) => origin + url.slice(new URL(issuer).origin.length);
  return { origin, jwks: moved(at.jwks), discovery: moved(at.discovery) };
}

/** Kept to this machine, unless the name of the issuer is one that others use. */
function published(url: string, port: number): string {
  const isLocal = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
  return `${isLocal ? '127.0.0.1:' : ''}${port}:${innerPort}`;
}

function compose(facts: ConnectFacts): Snippet {
  const { issuer, port, configFile } = facts;
  const ports = published(issuer, port);
  const service = serviceOf(facts);
  const { origin, jwks, discovery } = inside(facts);
  const file =
    configFile === undefined
      ? ''
      : `\n    volumes:\n      - ./clients.config.ts:/app/clients.config.ts:ro # from ${oneLine(configFile)}`;
  return {
    id: 'compose',
    family: 'containers',
    title: 'Docker Compose',
    where: 'compose.yaml',
    language: 'yaml',
    code: `services:
  ${service}:
    image: grantbox
    ports:
      - "${ports}"
    environment:
      ISSUER: ${yaml(issuer)}
      BACKCHANNEL_URL: ${yaml(origin)}${file}
    healthcheck:
      test: [CMD, docker-entrypoint.sh, healthcheck]
      interval: 2s
      timeout: 3s
      retries: 15

  api:
    build: .
    depends_on:
      ${service}:
        condition: service_healthy
    environment:
      OIDC_ISSUER: ${yaml(issuer)}
      OIDC_METADATA_URL: ${yaml(discovery)}
      OIDC_JWKS_URI: ${yaml(jwks)}
`,
    note: `Browsers know the sandbox as ${issuer}, containers as ${origin}, and every token has the one iss. Metadata asked for in the network names the endpoints there; a library that compares the issuer with the address it asked is given both. See Host names below.${ports.startsWith('127') ? ' 127.0.0.1 keeps the port to this machine: leave it out only where another device has to reach the sandbox.' : ''}`,
  };
}

/** Signed in without a click, where there is anybody. */
function autoLogin({ user }: ConnectFacts, indent: string): string {
  return user === undefined ? '' : `\n${indent}AUTO_LOGIN: ${yaml(user.sub)}`;
}

function gitHubActions(facts: ConnectFacts): Snippet {
  const { port } = facts;
  const issuer = onThisMachine(facts);
  return {
    id: 'github-actions',
    family: 'containers',
    title: 'GitHub Actions',
    where: '.github/workflows/test.yml',
    language: 'yaml',
    code: `name: test
on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    services:
      idp:
        image: ghcr.io/OWNER/grantbox
        ports:
          - "${published(issuer, port)}"
        env:
          ISSUER: ${yaml(issuer)}${autoLogin(facts, '          ')}
        options: >-
          --health-cmd "docker-entrypoint.sh healthcheck"
          --health-interval 2s
          --health-timeout 3s
          --health-retries 15
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - run: npm test
        env:
          OIDC_ISSUER: ${yaml(issuer)}
`,
    note: 'The steps begin when the service is healthy. OWNER is where you pushed the image.',
  };
}

/** In a pipeline nothing stands in front: plain HTTP on the machine of the job. */
function onThisMachine({ issuer, port }: ConnectFacts): string {
  const { hostname, pathname } = new URL(issuer);
  const name = hostname === 'localhost' || hostname.endsWith('.localhost') ? hostname : 'localhost';
  return `http://${name}:${port}${pathname.replace(/\/$/, '')}`;
}

function gitLab(facts: ConnectFacts): Snippet {
  const { pathname } = new URL(facts.issuer);
  const issuer = `http://idp:${innerPort}${pathname.replace(/\/$/, '')}`;
  return {
    id: 'gitlab',
    family: 'containers',
    title: 'GitLab CI',
    where: '.gitlab-ci.yml',
    language: 'yaml',
    code: `test:
  image: node:24
  services:
    - name: $CI_REGISTRY/OWNER/grantbox
      alias: idp
      variables:
        ISSUER: ${yaml(issuer)}${autoLogin(facts, '        ')}
  variables:
    OIDC_ISSUER: ${yaml(issuer)}
  script:
    - timeout 30 sh -c 'until curl -fsS http://idp:${innerPort}/health; do sleep 1; done'
    - npm ci
    - npm test
`,
    note: 'The job reaches the service as idp, and so does a browser in the job: one name for both. GitLab waits for the port, the script for health.',
  };
}
