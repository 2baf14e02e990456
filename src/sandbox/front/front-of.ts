import { lazily } from '../../base/lazily.ts';
import type { Core } from '../extension.ts';
import { createFront, type Front } from './front.ts';

/** The front of an issuer, or one for each host with `ISSUER_FROM_HOST`. */
export function frontOf(core: Core): Front {
  const usual = createFront(core);
  if (core.config.issuerFromHost === 'off') return usual;
  const hosts = lazily(async () => (await import('./host-fronts.ts')).createHostFronts(core, usual));
  const current = () => hosts.current() ?? usual;
  return {
    listener: (req, res) =>
      void hosts
        .get()
        .then(({ listener }) => listener(req, res))
        .catch(error => core.log.error(error, 'sandbox')),
    unread: usual.unread,
    resetResources: () => current().resetResources(),
    reconfigure: () => current().reconfigure(),
    closeStreams: () => current().closeStreams(),
  };
}
