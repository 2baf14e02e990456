import type { SandboxConfig } from '../../sandbox/config/sandbox-config.ts';
import type { ExportPart } from './members.ts';

/** The configuration made of an export, and the parts of the export that it does not have, one line each. */
export interface Imported {
  readonly config: SandboxConfig;
  readonly notes: readonly string[];
}

/** A file of an export, parsed. */
export interface ExportFile {
  /** As typed; within a folder, the path below it. */
  readonly name: string;
  readonly value: unknown;
  /** Absolute; absent for a value that is put together from files. */
  readonly path?: string;
  /** The files that hold members of the value, by member. */
  readonly parts?: Readonly<Record<string, string>>;
  /** The paths of files that are part of it. */
  readonly uses?: readonly string[];
  /** Why it cannot be imported, where somebody has looked inside already. */
  readonly strange?: string;
  /** The parts of it that cannot be imported, one line each. */
  readonly lost?: readonly string[];
}

/** The export of a product. */
export interface ImportFormat {
  /** Completes "Made from …". */
  readonly title: string;
  /** One member or column that shows it, for a file that is of no format. */
  readonly sign: string;
  recognises(value: unknown): boolean;
  /** @throws ExportTooLarge */
  convert(found: ExportPart): SandboxConfig | Promise<SandboxConfig>;
}
