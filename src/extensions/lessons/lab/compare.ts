import { type Exchange, headerOf } from '../../../base/events/exchange.ts';
import { badgeOf } from '../../../dashboard/status-badge.ts';
import { formIn } from '../checks/check.ts';
import { type LabRequest, type LabRound, pathBelow } from './lab-run.ts';

/** A request of one round, with the names that only this round has. */
export interface ComparedRequest {
  readonly by: LabRequest['by'];
  readonly method: string;
  /** Below the issuer. */
  readonly path: string;
  readonly badge: ReturnType<typeof badgeOf>;
  readonly issuer: string;
  readonly isAtSecond: boolean;
  readonly requestId: string;
  readonly error?: string;
  readonly outcome?: string;
  /** Parameters and credentials of the request. */
  readonly sent: readonly ComparedName[];
  /** Parameters of the redirect that answers it. */
  readonly answered: readonly ComparedName[];
}

export interface ComparedName {
  readonly name: string;
  /** The request of the other round does not have it. */
  readonly isOnlyHere: boolean;
}

/** The same request in both rounds, or a request of one of them. */
export interface ComparedRow {
  readonly open?: ComparedRequest;
  readonly defended?: ComparedRequest;
  readonly differs: boolean;
  /** The other round has not come to the step of the only request. */
  readonly isPending: boolean;
}

/**
 * Compares the attack with the defence off and on: which requests are the same, which are missing, and what differs in them.
 * Values such as codes are always new, so only names are compared, and the decision of a user. Undefined until both rounds have requests.
 */
export function compareRounds(open: LabRound, defended: LabRound): readonly ComparedRow[] | undefined {
  const [before, after] = [requestsOf(open), requestsOf(defended)];
  if (before.length === 0 || after.length === 0) return undefined;
  return aligned(before, after).map(([one, other]) => ({
    ...row(one, other),
    isPending: one === undefined ? isAhead(other, open) : other === undefined && isAhead(one, defended),
  }));
}

/** Those of the steps. Without steps, the attack was made by other means. */
function requestsOf({ requests }: LabRound): readonly LabRequest[] {
  const ofSteps = requests.filter(({ step }) => step !== undefined);
  return ofSteps.length > 0 ? ofSteps : requests;
}

function isAhead(request: LabRequest | undefined, { steps }: LabRound): boolean {
  return request?.step !== undefined && !steps.has(request.step);
}

type Pair = readonly [before: LabRequest | undefined, after: LabRequest | undefined];

/** Requests of the same actor to the same endpoint are in one pair, as many as the order allows. */
function aligned(before: readonly LabRequest[], after: readonly LabRequest[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  for (let match = longestMatch(before, after); match !== undefined; match = match.next) {
    pairs.push(...onlyOnce(before.slice(i, match.i), after.slice(j, match.j)), [before[match.i], after[match.j]]);
    [i, j] = [match.i + 1, match.j + 1];
  }
  return [...pairs, ...onlyOnce(before.slice(i), after.slice(j))];
}

function onlyOnce(before: readonly LabRequest[], after: readonly LabRequest[]): readonly Pair[] {
  return [...before.map((each): Pair => [each, undefined]), ...after.map((each): Pair => [undefined, each])];
}

interface Match {
  readonly i: number;
  readonly j: number;
  readonly length: number;
  readonly next: Match | undefined;
}

/** The longest common subsequence. */
function longestMatch(before: readonly LabRequest[], after: readonly LabRequest[]): Match | undefined {
  let below: (Match | undefined)[] = [];
  for (let i = before.length - 1; i >= 0; i--) {
    const row: (Match | undefined)[] = [];
    for (let j = after.length - 1; j >= 0; j--) {
      const next = below[j + 1];
      const isSame = keyOf(before[i]) === keyOf(after[j]);
      row[j] = isSame ? { i, j, length: (next?.length ?? 0) + 1, next } : longer(below[j], row[j + 1]);
    }
    below = row;
  }
  return below[0];
}

function longer(a: Match | undefined, b: Match | undefined): Match | undefined {
  return (b?.length ?? 0) > (a?.length ?? 0) ? b : a;
}

function keyOf(request: LabRequest | undefined): string {
  if (request === undefined) return '';
  const { by, issuer, completed } = request;
  return [by, issuer, completed.method, completed.endpoint].join(' ');
}

function row(before: LabRequest | undefined, after: LabRequest | undefined): Omit<ComparedRow, 'isPending'> {
  const open = before && compared(before, after);
  const defended = after && compared(after, before);
  const hasOther = (each: ComparedRequest | undefined) =>
    [...(each?.sent ?? []), ...(each?.answered ?? [])].some(({ isOnlyHere }) => isOnlyHere);
  return {
    open,
    defended,
    differs:
      open?.badge.status !== defended?.badge.status ||
      open?.error !== defended?.error ||
      open?.outcome !== defended?.outcome ||
      hasOther(open) ||
      hasOther(defended),
  };
}

function compared(request: LabRequest, other: LabRequest | undefined): ComparedRequest {
  const { by, issuer, isAtSecond, completed, refusal, outcome } = request;
  const { method, status, requestId, exchange } = completed;
  const names = (read: (exchange: Exchange) => readonly string[]) => {
    const others = other === undefined ? undefined : read(other.completed.exchange);
    return read(exchange).map(name => ({ name, isOnlyHere: others !== undefined && !others.includes(name) }));
  };
  return {
    ...{ by, method, path: pathBelow(request), badge: badgeOf({ status }, undefined), issuer, isAtSecond, requestId },
    error: refusal?.error,
    outcome,
    sent: names(sentNames),
    answered: names(answeredNames),
  };
}

function sentNames(exchange: Exchange): readonly string[] {
  const { url, requestHeaders } = exchange;
  const scheme = headerOf(requestHeaders, 'Authorization')?.split(' ', 1);
  return [
    ...namesIn(url),
    ...namesOf(formIn(exchange)),
    ...(scheme ?? []),
    ...(headerOf(requestHeaders, 'DPoP') === undefined ? [] : ['proof']),
  ];
}

function answeredNames({ responseHeaders }: Exchange): readonly string[] {
  return namesIn(headerOf(responseHeaders, 'Location') ?? '');
}

function namesIn(url: string): readonly string[] {
  return url.includes('?') ? namesOf(new URLSearchParams(url.slice(url.indexOf('?')))) : [];
}

function namesOf(parameters: URLSearchParams): readonly string[] {
  return [...parameters].map(([name, value]) => (name === 'decision' ? `${name}=${value}` : name));
}
