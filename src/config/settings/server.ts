import { hostName, issuerUrl, text, wholeNumber } from '../formats.ts';
import { setting } from '../setting.ts';

/** Where it listens, and what it is called. */
export const serverSettings = {
  port: setting('Server', '--port PORT', wholeNumber(0, 65_535), 9000, 'Port to listen on; 0 takes a free one'),
  host: setting('Server', '--host HOST', hostName, 'localhost', 'Address to listen on; localhost is 127.0.0.1 and ::1'),
  issuer: setting<string | undefined>(
    'Server',
    '--issuer ISSUER',
    issuerUrl,
    undefined,
    'Issuer identifier: the address clients know this server by',
    'http://localhost:<port>',
  ),
  label: setting('Server', '--label SANDBOX_LABEL', text, '', 'Name of this sandbox, shown on its pages', 'none'),
};
