import { defined } from '../../base/defined.ts';
import type { Registration } from '../../protocol/authorization-server.ts';
import type { IssuerConfig } from '../config/config.ts';

/** Registration at run time by the rules of the configuration file; loaded with them when somebody first registers. */
export function createRegistration(config: IssuerConfig): Registration {
  return {
    mode: config.registration === 'token' ? 'token' : 'open',
    ...defined({ initialAccessToken: config.registrationToken }),
    async readClient(metadata, origin) {
      const { readRegisteredClient } = await import('../config/client/read-client.ts');
      return readRegisteredClient(metadata, origin, config.clientDefaults);
    },
  };
}
