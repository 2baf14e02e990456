import { oneOf } from '../formats.ts';
import { setting } from '../setting.ts';

/** The log. */
export const logSettings = {
  /** Default info. */
  logLevel: setting(
    oneOf(['silent', 'error', 'warn', 'info', 'debug']),
    'info',
    'Lowest level of the messages in the log',
    { isWhole: true },
  ),
  /** `auto`, the default, is pretty on a terminal and JSON lines otherwise. */
  logFormat: setting(
    oneOf(['auto', 'pretty', 'json']),
    'auto',
    'Format of the log: `auto` is pretty on a terminal and JSON lines elsewhere',
    { isWhole: true },
  ),
};
