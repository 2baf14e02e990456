import { expect, it } from 'vitest';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';

it('finds no lie after scopes and collections have come and gone', async () => {
  const sandbox = await createSandbox();
  try {
    await sandbox.scopes.create({ name: 'till' });
    await sandbox.resources.create({ name: 'things', readScope: 'things:read', fields: { name: 'string' } });
    await sandbox.resources.delete('bikes');
    const { kept, lies } = await sandbox.selfTest();
    expect(kept).toBeGreaterThan(200);
    expect(lies).toEqual([]);
  } finally {
    await sandbox.stop();
  }
});
