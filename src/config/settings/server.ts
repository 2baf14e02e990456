import { hostName, issuerUrl, onOff, originUrl, text, wholeNumber } from '../formats.ts';
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
    'http://localhost:<port>, https with HTTPS on',
  ),
  backchannelUrl: setting<string | undefined>(
    'Server',
    '--backchannel-url BACKCHANNEL_URL',
    originUrl,
    undefined,
    'Origin that back ends reach this server by, such as http://idp:9000; the issuer stays the same',
    'none',
  ),
  selfTest: setting(
    'Server',
    '--self-test SELF_TEST',
    onOff,
    false,
    'Tries all that the metadata promises before it is ready, and ends where that is not true',
  ),
  label: setting('Server', '--label SANDBOX_LABEL', text, '', 'Name of this sandbox, shown on its pages', 'none'),
};
