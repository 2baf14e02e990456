import type { ShortLivedConfig, ShortLivedOptions } from '../../../sandbox/control/short-lived.ts';
import type { LabParts, LabState } from '../lab/lab.ts';
import { createLabRun, type LabRun, type MutableLabState } from '../lab/lab-run.ts';
import type { LessonCode } from '../lesson.ts';
import { issuerOf } from './issuer-config.ts';
import type { LearnerIssuer } from './lesson-run.ts';

interface BeginParts {
  addressOf(id: string): string;
  createIssuer(config: ShortLivedConfig, options: ShortLivedOptions, lab?: LabState): Promise<LearnerIssuer>;
}

/** Creates the issuers of a lab, with its defence off. */
export async function beginLab(
  { addressOf, createIssuer }: BeginParts,
  { lab, ...code }: LessonCode & { readonly lab: LabParts },
  { id, lifetime }: { readonly id: string; readonly lifetime: number },
): Promise<{ readonly own: LearnerIssuer; readonly lab: { readonly run: LabRun; readonly second?: LearnerIssuer } }> {
  const secondId = `${id}-second`;
  const issuer = addressOf(id);
  const second = lab.second === undefined ? '' : addressOf(secondId);
  const filled = (config: ShortLivedConfig) => withAddresses(config, { issuer, second });
  const state: MutableLabState = { isDefended: false, weak: lab.weak, second };
  const defended = filled(issuerOf(code));
  const own = await createIssuer(weakened(defended, lab), { id, lifetime }, state);
  const other =
    lab.second === undefined
      ? undefined
      : await createIssuer(filled(issuerOf({ ...code, issuer: lab.second })), { id: secondId, lifetime }, state);
  const run = createLabRun({
    ...{ lab, state },
    issuers: other === undefined ? [own] : [own, other],
    emit: own.emit,
    send: own.send,
    async setClients(isDefended) {
      const { clients = [] } = isDefended ? defended : weakened(defended, lab);
      for (const { client_id, ...members } of clients) {
        if (lab.weak.clients?.[client_id] !== undefined) await own.setClient(client_id, members);
      }
    },
  });
  return { own, lab: { run, ...(other === undefined ? {} : { second: other }) } };
}

/** The configuration with the careless members of its clients. */
function weakened({ clients = [], ...config }: ShortLivedConfig, { weak }: LabParts): ShortLivedConfig {
  return { ...config, clients: clients.map(client => ({ ...client, ...weak.clients?.[client.client_id] })) };
}

/** Fills in `{{issuer}}` and `{{second}}`, the addresses of the two issuers of a lab. */
function withAddresses(config: ShortLivedConfig, addresses: Readonly<Record<string, string>>): ShortLivedConfig {
  const text = JSON.stringify(config).replace(/\{\{(\w+)\}\}/g, (_, name: string) => addresses[name] ?? '');
  return JSON.parse(text) as ShortLivedConfig; // a copy of the same type
}
