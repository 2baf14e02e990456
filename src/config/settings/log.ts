import { filePath, oneOf } from '../formats.ts';
import { setting } from '../setting.ts';

/** The log. */
export const logSettings = {
  /** Default info. */
  logLevel: setting(
    'Log',
    '--log-level LOG_LEVEL',
    oneOf(['silent', 'error', 'warn', 'info', 'debug']),
    'info',
    'How much is logged',
    { isWhole: true },
  ),
  /** `auto`, the default, is pretty on a terminal and JSON lines otherwise. */
  logFormat: setting(
    'Log',
    '--log-format LOG_FORMAT',
    oneOf(['auto', 'pretty', 'json']),
    'auto',
    'Pretty on a terminal and JSON lines otherwise, or always one of them',
    { isWhole: true },
  ),
  /** A folder that the client report is written to at the stop, as HTML, JSON and JUnit XML. Default: none. */
  reportDir: setting(
    'Log',
    '--report-dir REPORT_DIR',
    filePath,
    undefined,
    'Folder for the client report (HTML, JSON, JUnit) and the recorded session (HTML, HAR), written at the stop',
    { defaultText: 'none', isWhole: true },
  ),
};
