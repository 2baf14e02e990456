import { filePath, oneOf } from '../formats.ts';
import { setting } from '../setting.ts';

/** The log. */
export const logSettings = {
  logLevel: setting(
    'Log',
    '--log-level LOG_LEVEL',
    oneOf(['silent', 'error', 'warn', 'info', 'debug']),
    'info',
    'How much is logged',
  ),
  logFormat: setting(
    'Log',
    '--log-format LOG_FORMAT',
    oneOf(['auto', 'pretty', 'json']),
    'auto',
    'Pretty on a terminal and JSON lines otherwise, or always one of them',
  ),
  reportDir: setting<string | undefined>(
    'Log',
    '--report-dir REPORT_DIR',
    filePath,
    undefined,
    'Folder for the client report (HTML, JSON, JUnit) and the recorded session (HTML, HAR), written at the stop',
    'none',
  ),
};
