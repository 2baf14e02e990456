import type { TestProject } from 'vitest/node';
import { startEngine } from '../engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the engine that all files of this run share; each sandbox has a prefix of its own. */
    readonly store: string;
  }
}

/** Before the files: one engine for all of them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = await startEngine();
  project.provide('store', engine.url);
  return () => engine[Symbol.asyncDispose]();
}
