import { isRecord, recordIn } from '../../base/text/record.ts';
import { jsonPost, printable } from '../../client/cli/ask.ts';
import { CommandFailure } from '../../client/cli/command.ts';
import type { Connection } from '../../client/cli/connection.ts';
import type { ClientOf, Target } from './observe.ts';

/**
 * A sandbox that runs elsewhere, by its control API.
 * @throws CommandFailure if the control API refuses
 */
export async function runningTarget({ base, ask, controlHeaders }: Connection): Promise<Target> {
  const call = async (place: string, body?: unknown) => {
    const sent = body === undefined ? { headers: controlHeaders } : jsonPost(body, controlHeaders);
    const { status, text } = await ask(`/_sandbox${place}`, sent);
    const content = recordIn(text);
    if (status === 200 && content !== undefined) return content;
    const said = printable(String(content?.detail ?? ''));
    throw new CommandFailure(`the control API answered ${status} for ${place || 'its address'}: ${said}`, 2);
  };
  const { issuer } = await call('');
  if (typeof issuer !== 'string') throw new CommandFailure(`${base} is not the address of a sandbox`, 2);
  return {
    issuer,
    // paths of the metadata are whole, and those of the connection are below the issuer
    ask: (place, sent) => ask(new URL(place, base), sent),
    async login(request) {
      const { redirect, code, code_verifier } = await call('/login', { ...request, as: 'code' });
      return {
        redirect: String(redirect),
        code: String(code),
        ...(typeof code_verifier === 'string' && { code_verifier }),
      };
    },
    async client(id) {
      const { entry } = await call(`/clients/${encodeURIComponent(id)}`);
      return isRecord(entry) ? (entry as ClientOf) : undefined; // as the configuration has it
    },
  };
}
