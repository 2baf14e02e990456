import { cut } from '../../base/text/words.ts';
import { type Flow, type FlowKind, flowKindWords } from '../../record/flows/flow.ts';

const names: Readonly<Record<FlowKind, string>> = {
  ...flowKindWords,
  authorization_code: 'Sign-in',
  implicit: 'Sign-in',
  hybrid: 'Sign-in',
};

const longestName = 24;

/** A short name of a flow: `Sign-in of alice`, `sensor for itself`. */
export function flowName({ kind, sub, client_id = 'an app' }: Pick<Flow, 'kind' | 'sub' | 'client_id'>): string {
  if (kind === 'client_credentials') return `${cut(client_id, longestName)} for itself`;
  return sub === undefined ? names[kind] : `${names[kind]} of ${cut(sub, longestName)}`;
}
