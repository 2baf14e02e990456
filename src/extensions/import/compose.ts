import { dirname, resolve } from 'node:path';
import { isRecord } from '../../base/text/record.ts';
import type { Environment } from '../../sandbox/config/setting-values.ts';
import type { ExportFile } from './imported.ts';
import { readFiles } from './read-files.ts';
import { readYamlText } from './read-text.ts';

/** Variables of services that have the configuration of a mock in them, or the path of its file. */
const variable = /^(JSON_CONFIG|\w+_(?:CONFIGURATION|SCOPES|RESOURCES|OPTIONS)(?=_))(_INLINE|_PATH)?$/;

/** Folders in images whose files can be imported. */
const folders = ['/opt/keycloak/data/import', '/app/.cognito/db'];

const knownImage = /mock-oauth2-server|oidc-server-mock/;

interface Service {
  readonly name: string;
  readonly image: string;
  readonly variables: readonly (readonly [name: string, value: unknown])[];
  readonly mounts: readonly Mount[];
  /** Some variables are in a file. */
  readonly hasFile: boolean;
}

interface Found {
  readonly files: readonly ExportFile[];
  /** What cannot be followed, one line each. */
  readonly lost: readonly string[];
}

/** The configurations of mocks in a Compose file, also those in files that it mounts; the file itself if it is none. */
export async function withServices(file: ExportFile, env: Environment): Promise<readonly ExportFile[]> {
  const { value } = file;
  if (!isRecord(value) || !isRecord(value.services)) return [file];
  const services = Object.entries(value.services).map(([name, entry]) => serviceOf(name, entry));
  const each = await Promise.all(services.map(service => filesOf(file, service, env)));
  const found = each.flatMap(({ files: [first, ...others], lost }) => {
    if (first === undefined) return lost.length === 0 ? [] : [{ ...file, lost }];
    return [{ ...first, lost }, ...others];
  });
  if (found.length > 0) return found;
  const names = services.map(({ name, image }) => (image === '' ? name : `${name} (${image})`)).join(', ');
  return [{ ...file, strange: `it is a Compose file, and none of its services is a known mock: ${names}` }];
}

function serviceOf(name: string, entry: unknown): Service {
  const { image, environment, volumes, env_file } = isRecord(entry) ? entry : {};
  return {
    name,
    image: typeof image === 'string' ? image : '',
    variables: variablesOf(environment).filter(([key]) => variable.test(key)),
    mounts: mountsOf(volumes),
    hasFile: env_file !== undefined,
  };
}

async function filesOf(file: ExportFile, service: Service, env: Environment): Promise<Found> {
  const place = `${file.name}: ${service.name}`;
  const reader = readerIn(file, service, env);
  const json = service.variables.find(([key]) => key === 'JSON_CONFIG')?.[1];
  if (json !== undefined) return jsonConfig(place, service, String(json));
  const config = await reader.config();
  if (config !== undefined) return config;
  const lists = await reader.lists(place);
  const others = await Promise.all(folders.map(reader.folder));
  const files = [...lists.files, ...others.flatMap(each => each.files)];
  const isKnown = files.length > 0 || knownImage.test(service.image);
  const unread = isKnown && service.hasFile ? [`services.${service.name}.env_file: its variables are not read`] : [];
  const lost = [...lists.lost, ...others.flatMap(each => each.lost), ...unread];
  // without a configuration that mock shows its login page
  const isBare = files.length + lost.length === 0 && service.image.includes('mock-oauth2-server');
  return isBare ? { files: [{ name: place, value: { interactiveLogin: true } }], lost } : { files, lost };
}

async function jsonConfig(place: string, { name }: Service, text: string): Promise<Found> {
  const read = await readYamlText(text);
  if ('problem' in read) return { files: [], lost: [`services.${name}.environment.JSON_CONFIG: ${read.problem}`] };
  return { files: [{ name: place, value: read.value }], lost: [] };
}

/** Follows paths in a service through its mounts. */
function readerIn(file: ExportFile, { name, image, variables, mounts }: Service, env: Environment) {
  const base = dirname(file.path ?? '');
  const member = (key: string) => `services.${name}.environment.${key}`;

  async function follow(place: string, path: string): Promise<Found> {
    const host = onHost(mounts, path);
    const run = 'run grantbox import with that file, too';
    if (host === undefined)
      return { files: [], lost: [`${place}: names ${path}, which no folder is mounted at: ${run}`] };
    const { files, problems } = await readFiles({ path: resolve(base, host), name: host, env });
    const named = files.map(each => (each.name === host ? each : { ...each, name: `${host}/${each.name}` }));
    return { files: named, lost: problems.map(problem => `${place}: ${problem}`) };
  }

  return {
    /** The JSON_CONFIG_PATH of mock-oauth2-server, which has a default. */
    async config(): Promise<Found | undefined> {
      const path = variables.find(([key]) => key === 'JSON_CONFIG_PATH')?.[1];
      if (typeof path === 'string') return follow(member('JSON_CONFIG_PATH'), path);
      const usual = image.includes('mock-oauth2-server') && mounts.find(({ target }) => /\/config\.json$/.test(target));
      return usual ? follow(`services.${name}.volumes`, usual.target) : undefined;
    },

    /** The lists of oidc-server-mock: each is a variable, or a file that a variable names. */
    async lists(place: string): Promise<Found> {
      const value: Record<string, unknown> = {};
      const parts: Record<string, string> = {};
      const [lost, uses]: readonly [string[], string[]] = [[], []];
      for (const [key, text] of variables) {
        const inline = key.replace(/_PATH$/, '_INLINE');
        if (inline === key) value[key] = text;
        // a variable with the list itself counts before a path
        if (inline === key || variables.some(([other, own]) => other === inline && own !== '')) continue;
        const { files, lost: problems } = await follow(member(key), String(text));
        lost.push(...problems);
        for (const each of files) {
          value[inline] = each.value;
          parts[inline] = each.name;
          uses.push(each.path ?? '');
        }
      }
      return { files: Object.keys(value).length === 0 ? [] : [{ name: place, value, parts, uses }], lost };
    },

    /** The files of a folder that the image imports by itself. */
    async folder(path: string): Promise<Found> {
      const inside = mounts.filter(({ target }) => target.startsWith(`${path}/`)).map(({ target }) => target);
      const paths = onHost(mounts, path) === undefined ? inside : [path];
      const each = await Promise.all(paths.map(target => follow(`services.${name}.volumes`, target)));
      return { files: each.flatMap(({ files }) => files), lost: each.flatMap(({ lost }) => lost) };
    },
  };
}

interface Mount {
  /** As written, relative to the Compose file. */
  readonly source: string;
  readonly target: string;
}

/** `environment` of a service is an object, or a list of `NAME=value`. */
function variablesOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (isRecord(value)) return Object.entries(value);
  if (!Array.isArray(value)) return [];
  return value.flatMap(each => {
    const [, name, text] = /^([^=]+)=(.*)$/s.exec(String(each)) ?? [];
    return name === undefined ? [] : [[name, text] as const];
  });
}

/** The bind mounts among `volumes` of a service: `./config:/config:ro`, or an object. Volumes with a name are no files here. */
function mountsOf(volumes: unknown): readonly Mount[] {
  if (!Array.isArray(volumes)) return [];
  return volumes.flatMap(each => {
    if (isRecord(each)) {
      const { source, target } = each;
      return typeof source === 'string' && typeof target === 'string' ? bound({ source, target }) : [];
    }
    const [, source = '', target = ''] = /^((?:[A-Za-z]:)?[^:]+):([^:]+)(?::[^:]*)?$/.exec(String(each)) ?? [];
    return bound({ source, target });
  });
}

function bound({ source, target }: Mount): readonly Mount[] {
  const isPath = /^(?:[./~]|[A-Za-z]:)/.test(source) && target.startsWith('/');
  return isPath ? [{ source: source.replace(/(?<=.)\/$/, ''), target: target.replace(/(?<=.)\/$/, '') }] : [];
}

/** The path on this machine of a path in the container; undefined if no mount has it. The innermost mount counts. */
function onHost(mounts: readonly Mount[], path: string): string | undefined {
  const having = mounts.filter(({ target }) => path === target || path.startsWith(target === '/' ? '/' : `${target}/`));
  const [mount] = having.toSorted((one, other) => other.target.length - one.target.length);
  return mount && mount.source + path.slice(mount.target === '/' ? 0 : mount.target.length);
}
