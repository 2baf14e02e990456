import { afterEach, expect, it, vi } from 'vitest';
import { provide } from './debian.ts';

afterEach(() => vi.unstubAllEnvs());

it('takes a tool that is there', async () => {
  expect(await provide({ name: 'a tool', packages: ['none'], find: () => 'its path' })).toBe('its path');
});

it('says what to install where a tool is missing and must not be installed', async () => {
  vi.stubEnv('SKIP_TOOL_INSTALL', '1');
  const tool = { name: 'a tool', packages: ['package-one', 'package-two'], find: () => undefined };
  await expect(provide(tool)).rejects.toThrow(
    'This test needs a tool. On Debian, as root: apt-get install package-one package-two',
  );
});
