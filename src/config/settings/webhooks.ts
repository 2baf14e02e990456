import { variable } from '../setting.ts';
import { webhookList } from '../webhook-list.ts';

/** Messages to other programs. */
export const webhookSettings = {
  /**
   * Endpoints that are told of users, clients, sessions, tokens and problems, signed as in Standard Webhooks. Default:
   * none.
   */
  webhooks: {
    ...variable({
      env: 'WEBHOOKS',
      format: webhookList,
      secret: true,
      defaultText: 'none',
      help: 'URLs that are told of events (signed webhooks); `#whsec_…` after a URL sets its secret',
    }),
    group: 'Server' as const,
    default: [],
    inFile: true as const,
    isLive: true as const,
  },
};
