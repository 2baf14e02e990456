/**
 * `@peculiar/x509` is wired up with tsyringe, which refuses to load without the `Reflect` of a proposal that never was
 * adopted. Of it, it needs these three, and none of them to remember much: no class there is injected anything.
 */
interface MetadataReflection {
  getMetadata?: (key: unknown, target: object) => unknown;
  getOwnMetadata?: (key: unknown, target: object) => unknown;
  defineMetadata?: (key: unknown, value: unknown, target: object) => void;
}

const reflection: typeof Reflect & MetadataReflection = Reflect;
const remembered = new WeakMap<object, Map<unknown, unknown>>();

function getOwnMetadata(key: unknown, target: object): unknown {
  return remembered.get(target)?.get(key);
}

function defineMetadata(key: unknown, value: unknown, target: object): void {
  const entries = remembered.get(target) ?? new Map();
  remembered.set(target, entries.set(key, value));
}

// An application that brought a whole one, and uses the sandbox as a library, keeps it.
if (reflection.getMetadata === undefined) {
  Object.assign(reflection, { getMetadata: getOwnMetadata, getOwnMetadata, defineMetadata });
}
