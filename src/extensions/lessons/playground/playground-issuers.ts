import type { Lazy } from '../../../base/lazily.ts';
import type { OwnExtras, OwnIssuers } from '../../../sandbox/extension.ts';
import type { Learning } from '../learning.ts';
import type { VisitorIssuers } from './room.ts';

interface Sources {
  readonly shortLived: Lazy<OwnIssuers>;
  /** The address of the playground that its visitors come from. */
  readonly home: () => string;
  /** The most of them that run at a time. */
  readonly most?: number;
  /** Parts that each of these issuers gets, as a seat of a workshop does. */
  readonly extras?: OwnExtras;
}

/** Two hours. */
const lifetime = 7200;

/** Like those of the lessons. Codes live long, because a learner reads in between. */
const config = {
  catalogue: true,
  label: 'Playground',
  codeLifetime: 1800,
  loginMode: 'picker',
  recording: true,
  dashboard: true,
  historySize: 200,
} as const;

interface ClosableIssuers extends VisitorIssuers {
  /** Ends all of them. */
  close(): void;
}

type Running = Awaited<ReturnType<OwnIssuers['createHere']>>;

/** Issuers that have the catalogue, and no setting of the first issuer. There are few: a further one ends the oldest. */
export function createPlaygroundIssuers({ shortLived, home, most = 20, extras }: Sources): ClosableIssuers {
  const issuers = new Map<string, { readonly starting: Promise<Running>; running?: Running }>();

  function running(visitor: string): string | undefined {
    const told = issuers.get(visitor)?.running?.told;
    const isLiving = shortLived
      .current()
      ?.list()
      .some(({ id, createdAt }) => id === told?.id && createdAt === told.createdAt);
    return isLiving === true ? told?.issuer : undefined;
  }

  function end(visitor: string): void {
    issuers.get(visitor)?.starting.then(
      ({ stop }) => stop(),
      () => {}, // it has told its own visitor
    );
    issuers.delete(visitor);
  }

  async function start(): Promise<Running> {
    const created = await shortLived.get();
    const kept: Learning = { playground: { home: home() } };
    return created.createHere(config, { lifetime }, { ...extras, isAlone: true, kept });
  }

  async function open(visitor: string): Promise<string> {
    const known = issuers.get(visitor);
    // a double click starts only one
    if (known !== undefined && known.running === undefined) return (await known.starting).told.issuer;
    const living = running(visitor);
    if (living !== undefined) return living;
    issuers.delete(visitor);
    const [oldest] = issuers.keys();
    if (oldest !== undefined && issuers.size >= most) end(oldest);
    const entry: { readonly starting: Promise<Running>; running?: Running } = { starting: start() };
    issuers.set(visitor, entry);
    try {
      entry.running = await entry.starting;
    } catch (error) {
      issuers.delete(visitor);
      throw error;
    }
    return entry.running.told.issuer;
  }

  return { running, open, close: () => [...issuers.keys()].forEach(end) };
}
