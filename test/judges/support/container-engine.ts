import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Container, type ContainerOrder, type Output } from '../../support/container.ts';

/** A stand-in for a container engine. */
export interface ContainerEngine {
  /** For `DOCKER_HOST`. */
  readonly url: string;
  /** What runs, or ran and was not removed. */
  readonly containers: ReadonlyMap<string, Container>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Execution {
  readonly container: Container;
  readonly command: readonly string[];
  exitCode: number | undefined;
}

interface Asked {
  readonly engine: Engine;
  readonly id: string;
  readonly query: URLSearchParams;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

interface Engine {
  readonly images: ReadonlySet<string>;
  readonly containers: Map<string, Container>;
  readonly executions: Map<string, Execution>;
  readonly networks: Map<string, string>;
}

/**
 * As much of the Docker engine's HTTP API as Testcontainers asks for, on a free port of this machine, with one image: what was
 * built, as a process (`Container`). It shows that what is asked for is right, in the right order, and enough: commands, files,
 * environment, mapped ports, issuer. It has no layers, users, isolation or networks: that the real image has a shell, and a
 * `/tmp` that its user may write to, is shown with the image itself.
 */
export async function startContainerEngine(images: readonly string[]): Promise<ContainerEngine> {
  const engine: Engine = { images: new Set(images), containers: new Map(), executions: new Map(), networks: new Map() };
  const server = createServer((req, res) => {
    answer(engine, req, res).catch((error: unknown) => refuse(res, 500, String(error)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    containers: engine.containers,
    async [Symbol.asyncDispose]() {
      await Promise.all([...engine.containers.values()].map(container => container.remove()));
      server.closeAllConnections();
      server.close();
    },
  };
}

/** By method and path; `*` is an id. */
const routes: Readonly<Record<string, (asked: Asked) => unknown>> = {
  'GET /info': () => ({ ServerVersion: '0', OperatingSystem: 'stand-in', OSType: 'linux', NCPU: 1, MemTotal: 1 }),
  'GET /images/*/json': ({ engine, id, res }) =>
    engine.images.has(id) ? { Id: id } : refuse(res, 404, `No such image: ${id}`),
  'GET /containers/json': ({ engine, query }) => listed(engine, query),
  'POST /containers/create': async ({ engine, query, req, res }) => {
    const order = (await json(req)) as ContainerOrder;
    if (!engine.images.has(order.Image)) return refuse(res, 404, `No such image: ${order.Image}`);
    const id = randomBytes(32).toString('hex');
    engine.containers.set(id, new Container(id, { ...order, name: query.get('name') ?? id.slice(0, 8) }));
    return { Id: id, Warnings: [] };
  },
  'PUT /containers/*/archive': async asked => {
    await containerOf(asked).extract(asked.req, asked.query.get('path') ?? '');
    asked.res.writeHead(200).end();
  },
  'POST /containers/*/start': asked => containerOf(asked).start(),
  'GET /containers/*/json': asked => inspected(containerOf(asked)),
  'GET /containers/*/logs': asked => writeLog(containerOf(asked), asked),
  'POST /containers/*/exec': async asked => {
    const { Cmd } = (await json(asked.req)) as { readonly Cmd: readonly string[] };
    const container = containerOf(asked);
    if (!container.isRunning) return refuse(asked.res, 409, `container ${asked.id} is not running`);
    const id = randomBytes(32).toString('hex');
    asked.engine.executions.set(id, { container, command: Cmd, exitCode: undefined });
    return { Id: id };
  },
  'POST /exec/*/start': async ({ engine, id, res }) => {
    const execution = engine.executions.get(id) ?? missing(id);
    const child = execution.container.run(execution.command);
    child.stdout.on('data', (text: Buffer) => res.write(frame({ stream: 1, text })));
    child.stderr.on('data', (text: Buffer) => res.write(frame({ stream: 2, text })));
    [execution.exitCode] = await once(child, 'close');
    res.end();
  },
  'GET /exec/*/json': ({ engine, id }) => ({ ExitCode: (engine.executions.get(id) ?? missing(id)).exitCode }),
  'POST /containers/*/stop': asked => containerOf(asked).stop(Number(asked.query.get('t') ?? 10)),
  'POST /containers/*/restart': async asked => {
    await containerOf(asked).stop(Number(asked.query.get('t') ?? 10));
    await containerOf(asked).start();
  },
  'DELETE /containers/*': async asked => {
    await containerOf(asked).remove();
    asked.engine.containers.delete(asked.id);
  },
  'POST /networks/create': async ({ engine, req }) => {
    const { Name } = (await json(req)) as { readonly Name: string };
    engine.networks.set(Name, Name);
    return { Id: Name };
  },
  'POST /networks/*/connect': async ({ engine, id, req }) => {
    const said = (await json(req)) as { Container: string; EndpointConfig: { Aliases: readonly string[] } };
    containerOf({ engine, id: said.Container }).networks.set(id, said.EndpointConfig.Aliases);
    return {};
  },
  'DELETE /networks/*': ({ engine, id }) => void engine.networks.delete(id),
};

async function answer(engine: Engine, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { pathname, searchParams: query } = new URL(req.url ?? '', 'http://engine');
  const [, folder = '', ...rest] = decodeURIComponent(pathname).split('/');
  const hasId = rest.length > 0 && !['json', 'create'].includes(rest.join('/'));
  const last = rest.length > 1 ? rest.at(-1) : undefined;
  const id = hasId ? rest.slice(0, last === undefined ? 1 : -1).join('/') : '';
  const pattern = hasId ? [folder, '*', ...(last === undefined ? [] : [last])] : [folder, ...rest];
  const route = routes[`${req.method} /${pattern.join('/')}`];
  if (route === undefined) return refuse(res, 501, `not in the stand-in: ${req.method} ${pathname}`);
  const content = await route({ engine, id, query, req, res });
  if (res.writableEnded || res.headersSent) return;
  res.writeHead(content === undefined ? 204 : 200, { 'Content-Type': 'application/json' });
  res.end(content === undefined ? undefined : JSON.stringify(content));
}

function refuse(res: ServerResponse, status: number, message: string): void {
  if (!res.headersSent) res.writeHead(status, { 'Content-Type': 'application/json' });
  res.end(JSON.stringify({ message }));
}

function containerOf({ engine, id }: Pick<Asked, 'engine' | 'id'>): Container {
  return engine.containers.get(id) ?? missing(id);
}

function missing(id: string): never {
  throw new Error(`No such container or exec: ${id}`);
}

function listed({ containers }: Engine, query: URLSearchParams): unknown {
  const { label = [] } = JSON.parse(query.get('filters') ?? '{}') as { readonly label?: readonly string[] };
  return [...containers.values()]
    .filter(({ order: { Labels = {} } }) =>
      label.every(each => Labels[each.split('=', 1)[0] ?? ''] === each.replace(/^[^=]*=/, '')),
    )
    .map(({ id, isRunning, order }) => ({
      ...{ Id: id, Labels: order.Labels ?? {}, State: isRunning ? 'running' : 'exited' },
      ...{ Created: 0, Ports: [] },
    }));
}

function inspected({ id, order, isRunning, exitCode, mappedPort, networks }: Container): unknown {
  const bindings = mappedPort === undefined ? [] : [{ HostIp: '', HostPort: String(mappedPort) }];
  const at = new Date(0).toISOString();
  return {
    Id: id,
    Name: `/${order.name}`,
    Config: { Hostname: id.slice(0, 12), Labels: order.Labels ?? {}, Env: order.Env ?? [] },
    HostConfig: order.HostConfig,
    State: {
      ...{ Status: isRunning ? 'running' : 'exited', Running: isRunning, ExitCode: exitCode ?? 0 },
      ...{ StartedAt: at, FinishedAt: at },
    },
    NetworkSettings: {
      Ports: { '9000/tcp': bindings },
      Networks: Object.fromEntries([...networks].map(([name, Aliases]) => [name, { NetworkID: name, Aliases }])),
    },
  };
}

/** With `follow`, until the container ends. */
async function writeLog(container: Container, { query, res }: Asked): Promise<void> {
  let written = 0;
  res.flushHeaders();
  while (!res.destroyed) {
    for (const each of container.output.slice(written)) res.write(frame(each));
    written = container.output.length;
    if (!container.isRunning || query.get('follow') !== 'true') break;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  res.end();
}

function frame({ stream, text }: Output): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt8(stream, 0);
  head.writeUInt32BE(text.length, 4);
  return Buffer.concat([head, text]);
}
