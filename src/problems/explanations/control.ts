import { compareWords } from '../compare.ts';
import type { Entries } from '../entry.ts';

/** Refusals of the control API. */
export const controlEntries = {
  control_busy: {
    title: 'Too many callers wait for events',
    why: ({ error }) => `${error.description}: each holds a connection, so there are ${error.expected ?? 'not many'}.`,
  },
  control_entry_taken: {
    title: 'The control API was asked to make what is there already',
    why: ({ error }) => `${error.description}: no two may share it. Nothing was changed.`,
  },
  control_entry_unknown: {
    title: 'The control API was asked for something that is not there',
    why: ({ error }) => `${error.description}. Names are compared letter by letter.`,
    compare: ({ error }) => compareWords(error.sent ?? 'nothing', error.expected ?? 'a known name'),
  },
  control_input_invalid: {
    title: 'The control API was sent something it does not take',
    why: ({ error }) => `${error.description}. Nothing was changed: what is only half understood is not done.`,
    compare: ({ error }) => compareWords(error.sent ?? 'nothing', error.expected ?? 'something else'),
  },
  fault_header_invalid: {
    title: 'A request asked for a fault that cannot be',
    why: 'What the header Sandbox-Fault says has to be understood as a whole: a test must not pass because of a slip of the pen.',
    compare: ({ error }) => compareWords(error.sent ?? 'nothing', error.expected ?? 'something else'),
  },
  control_token_missing: {
    title: 'The control API asks for CONTROL_TOKEN',
    why: 'The sandbox was started with CONTROL_TOKEN, so that only those who know it can change or read it.',
  },
  control_token_wrong: {
    title: 'The control API or the dashboard was sent another token than CONTROL_TOKEN',
    why: 'A token came, but not the one the sandbox was started with. It is not shown here, nor kept.',
  },
} satisfies Entries;
