import { asCurl, quote } from '../../../dashboard/http-call.ts';
import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { isSelfSigned, issuingPath, subjectOf } from './certificate.ts';
import type { Prepared } from './request.ts';
import type { PlaygroundRoom } from './room.ts';

/** The request as a command for a POSIX shell, after the commands that fetch the certificate of the client. */
export function curlOf(room: PlaygroundRoom, client: RegisteredClient | undefined, { call, fields }: Prepared): string {
  const curl = room.desk.reach.hasOwnCa ? 'curl -k' : 'curl'; // the CA of the start, which a shell does not know
  const shown = fields.find(field => field.in === 'handshake' && !field.isRemoved);
  const plain = asCurl(call).replace(/^curl/, () => curl);
  if (client === undefined || shown === undefined) return plain;
  const { origin } = new URL(room.desk.issuer);
  const file = quote(`${client.client_id}.pem`);
  const isRight = shown.value === subjectOf(client);
  if (isRight && isSelfSigned(client)) {
    const subject = quote(`/${shown.value}`);
    return [
      `${curl} -sSO ${quote(`${room.desk.issuer}/dashboard/catalogue/grantbox-demo-key.pem`)}`,
      `openssl req -x509 -new -key grantbox-demo-key.pem -subj ${subject} -days 30 -out ${file}`,
      plain.replace(/^\S+ -k|^\S+/, start => `${start} --cert ${file} --key grantbox-demo-key.pem`),
    ].join('\n');
  }
  const path = issuingPath(room);
  if (path === undefined) return plain;
  const named = isRight ? `client_id=${client.client_id}` : `subject_dn=${shown.value}`;
  return [
    `${curl} -sS -o ${file} ${quote(origin + path)} --data-urlencode ${quote(named)}`,
    plain.replace(/^\S+ -k|^\S+/, start => `${start} --cert ${file}`),
  ].join('\n');
}
