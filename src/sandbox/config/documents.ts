import { type ConfigProblem, type Finding, formatPath, type Path, toProblem } from './problem.ts';

/** An object that holds configuration, and its name in problems. */
export interface Document {
  /** `clients.config.ts`, `createSandbox`. */
  readonly name: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** Position of a member in the file, as `line:column`; absent for formats without positions. */
  readonly place?: ((path: string) => string | undefined) | undefined;
  /** True if given in code: it ranks above the environment. */
  readonly isOverride?: true;
  /** The place of an entry of a list that was put together of several documents. */
  readonly entryAt?: (list: string, index: number) => Pick<Located, 'document' | 'path'>;
  /** Base folder of relative paths in the document. */
  readonly folder?: string | undefined;
}

/** An entry of a list or of a record, with its source. */
export interface Located {
  readonly document: string;
  readonly path: Path;
  readonly raw: unknown;
  /** Members that a stronger source has replaced, with that source. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** It comes with Grantbox: a test checks it, and not each start. */
  readonly isShipped?: true;
}

/** An entry of a record. */
export interface NamedEntry extends Located {
  readonly name: string;
}

/** A finding within an entry. */
export function problemIn({ document, path }: Located, finding: Finding): ConfigProblem {
  return toProblem(document, { ...finding, path: [...path, ...finding.path] });
}

/** Checks each client on its own. */
export function checkClients(
  clients: readonly Located[],
  check: (raw: unknown) => readonly Finding[],
): readonly ConfigProblem[] {
  return clients.flatMap(client => check(client.raw).map(finding => problemIn(client, finding)));
}

/** Adds line and column if the file format has positions: `clients.config.yaml:3:7: clients[0].scope`. */
export function placed(problem: ConfigProblem, file: Pick<Document, 'name' | 'place'> | undefined): ConfigProblem {
  if (file === undefined || !problem.source.startsWith(`${file.name}: `)) return problem;
  const path = problem.source.slice(`${file.name}: `.length);
  // the document of a further issuer is nested in the file: `issuers["a"]: port` is the member `issuers.a.port`
  const inFile = path.replace(/^issuers\[(".*?")\]: /, (_, key) => `${formatPath(['issuers', JSON.parse(key)])}.`);
  const place = file.place?.(inFile);
  return place === undefined ? problem : { ...problem, source: `${file.name}:${place}: ${path}` };
}
