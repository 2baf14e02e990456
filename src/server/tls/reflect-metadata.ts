/**
 * `@peculiar/x509` uses tsyringe, which refuses to load without the `Reflect` functions of an abandoned proposal. It
 * needs only these three, and they store little, because no class is injected anything.
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

// keeps a complete implementation that the application has loaded
if (reflection.getMetadata === undefined) {
  Object.assign(reflection, { getMetadata: getOwnMetadata, getOwnMetadata, defineMetadata });
}
