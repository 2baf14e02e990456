import { describe, expect, it } from 'vitest';
import { createExchangeMemory, type Written } from '../../src/http/exchange-memory.ts';

const written = (more: Partial<Written> = {}): Written => ({
  url: '/oauth2/token?a=ü',
  ip: '127.0.0.1',
  requestHeaders: 'Host\nlocalhost\nX-Two\n2',
  requestBody: { kept: 'grant_type=client_credentials', bytes: 29 },
  responseHeaders: 'Content-Type\napplication/json',
  responseBody: { kept: Buffer.from('{"name":"Ünïcödé \u0000"}'), bytes: 40 },
  ...more,
});

describe('an exchange that was written down', () => {
  it('reads as it was, whatever characters it has', () => {
    const exchange = createExchangeMemory().write(written());
    expect(exchange.url).toBe('/oauth2/token?a=ü');
    expect(exchange.ip).toBe('127.0.0.1');
    expect(exchange.requestHeaders).toBe('Host\nlocalhost\nX-Two\n2');
    expect(exchange.requestBody).toEqual({ text: 'grant_type=client_credentials', bytes: 29 });
    expect(exchange.responseHeaders).toBe('Content-Type\napplication/json');
    expect(exchange.responseBody).toMatchObject({ text: '{"name":"Ünïcödé \u0000"}', bytes: 40, cut: true });
  });

  it('has no body where there was none', () => {
    const exchange = createExchangeMemory().write(written({ requestBody: undefined, responseBody: undefined }));
    expect([exchange.requestBody, exchange.responseBody]).toEqual([undefined, undefined]);
  });

  it('can be written as JSON', () => {
    const exchange = createExchangeMemory().write(written());
    expect(JSON.parse(JSON.stringify({ exchange })).exchange).toMatchObject({
      url: '/oauth2/token?a=ü',
      requestBody: { text: 'grant_type=client_credentials', bytes: 29 },
    });
  });

  it('keeps its text while thousands are written and forgotten around it', () => {
    const memory = createExchangeMemory();
    const kept = memory.write(written({ url: '/kept' }));
    for (let n = 0; n < 5000; n++) memory.write(written({ url: `/${n}` })).release?.();
    expect(kept.url).toBe('/kept');
    expect(kept.requestBody?.text).toBe('grant_type=client_credentials');
  });

  it('never reads as another one: what is forgotten is its own text or empty', () => {
    const memory = createExchangeMemory();
    const old = Array.from({ length: 2000 }, (_, n) => ({ n, exchange: memory.write(written({ url: `/old/${n}` })) }));
    for (const { exchange } of old) exchange.release?.();
    for (let n = 0; n < 2000; n++) memory.write(written({ url: `/new/${n}` }));
    for (const { n, exchange } of old) expect(['', `/old/${n}`]).toContain(exchange.url);
    expect(old[0]?.exchange.url).toBe('');
  });

  it('may be larger than a block, and be released twice', () => {
    const memory = createExchangeMemory();
    const large = memory.write(written({ responseBody: { kept: 'x'.repeat(65_536), bytes: 200_000 } }));
    expect(large.responseBody).toMatchObject({ bytes: 200_000, cut: true });
    expect(large.responseBody?.text).toHaveLength(65_536);
    large.release?.();
    large.release?.();
    expect(memory.write(written()).url).toBe('/oauth2/token?a=ü');
  });
});
