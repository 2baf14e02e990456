import { isRecord } from '../../base/text/record.ts';

/** A file or folder of this machine in a container. */
export interface Mount {
  /** As written, relative to the Compose file. */
  readonly source: string;
  readonly target: string;
}

/** `environment` of a service is an object, or a list of `NAME=value`. */
export function variablesOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (isRecord(value)) return Object.entries(value);
  if (!Array.isArray(value)) return [];
  return value.flatMap(each => {
    const [, name, text] = /^([^=]+)=(.*)$/s.exec(String(each)) ?? [];
    return name === undefined ? [] : [[name, text] as const];
  });
}

/** The bind mounts among `volumes` of a service: `./config:/config:ro`, or an object. Volumes with a name are no files here. */
export function mountsOf(volumes: unknown): readonly Mount[] {
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
export function onHost(mounts: readonly Mount[], path: string): string | undefined {
  const having = mounts.filter(({ target }) => path === target || path.startsWith(target === '/' ? '/' : `${target}/`));
  const [mount] = having.toSorted((one, other) => other.target.length - one.target.length);
  return mount && mount.source + path.slice(mount.target === '/' ? 0 : mount.target.length);
}
