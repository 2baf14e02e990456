/** Counts the values of the written file. Few values of an export can become many: a role of a thousand roles, for each user. */
export interface Budget {
  /** @throws ExportTooLarge */
  spend(values: number): void;
}

const mostWritten = 2_000_000;

/** The export would become a file that no sandbox could read. */
export class ExportTooLarge extends Error {
  override readonly name = 'ExportTooLarge';
}

/** Creates the budget of one import. */
export function createBudget(): Budget {
  let left = mostWritten;
  return {
    spend(values) {
      left -= values;
      if (left < 0)
        throw new ExportTooLarge(`the new file would have more than ${mostWritten / 1_000_000} million values`);
    },
  };
}
