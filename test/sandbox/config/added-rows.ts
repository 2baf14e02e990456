import { oneOf, seconds } from '../../../src/sandbox/config/formats.ts';
import { setting } from '../../../src/sandbox/config/setting.ts';

/** Rows that no other file of the sources knows. */
export const addedRows = {
  /** Colours of lines. */
  logColour: setting(oneOf(['auto', 'never']), 'auto', 'Colours of the lines of the log', { isLive: true }),
  logPause: setting(seconds(0), undefined, 'Pause between the lines of the log', {
    defaultText: 'no pause',
    isWhole: true,
  }),
};
