/** When a question that was missed is asked again. */
export interface Recall {
  /** Times in a row that it was known. */
  readonly step: number;
  /** Unix seconds by the clock of the sandbox; absent when it is not asked again. */
  readonly due?: number;
  /** The wrong option of this time. */
  readonly chosen?: string;
}

const day = 86_400;
/** Days until the next time. */
const intervals = [1, 3, 7];

/** A question that was missed at this time, in Unix seconds. */
export function missedAt(now: number): Recall {
  return { step: 0, due: now + day };
}

/** After an answer. A wrong one is asked on, and comes back after a day once it is known. */
export function recalled(recall: Recall, { isRight, chosen, now }: Recalling): Recall {
  if (!isRight) return { ...recall, chosen };
  const step = recall.chosen === undefined ? recall.step + 1 : 0;
  const days = intervals[step];
  return days === undefined ? { step } : { step, due: now + days * day };
}

interface Recalling {
  readonly isRight: boolean;
  readonly chosen: string;
  readonly now: number;
}

export function isDue({ due }: Recall, now: number): boolean {
  return due !== undefined && due <= now;
}
