import { renderUnicodeCompact } from 'uqr';

/** The QR code of the address that learners open, for a terminal, indented as the lines above it. */
export function qrLines(address: string): readonly string[] {
  return renderUnicodeCompact(address, { ecc: 'L', border: 1 })
    .split('\n')
    .map(line => `  ${line}`);
}
