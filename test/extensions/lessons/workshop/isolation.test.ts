import { expect, it } from 'vitest';
import { createSandbox } from '../../../../src/index.ts';
import { begin, enterRoom, join, marksOf, shown, work } from './learner.ts';

const lesson = 'client-credentials';
const key = 'the key of the trainer';
const most = 24;

it('24 seats side by side: no event of one is seen by another, and their issuers end with them', async () => {
  const sandbox = await createSandbox({ port: 0, logLevel: 'silent', workshop: most, controlToken: key });
  try {
    const asTrainer = { Authorization: `Bearer ${key}` };
    const issuersNow = async () => {
      const response = await fetch(`${sandbox.url}/_sandbox/issuers`, { headers: asTrainer });
      return ((await response.json()) as { issuers: readonly unknown[] }).issuers.length;
    };
    const learners = await Promise.all(Array.from({ length: most }, () => join(sandbox)));
    const names = learners.map(({ name }) => name);
    expect(new Set(names).size).toBe(most);

    const driven = await Promise.all(
      learners.map(async (learner, index) => {
        const issuer = await begin(learner, lesson);
        // half of them do the task, and each sends its name
        if (index % 2 === 0) await work(issuer, lesson, 'token');
        const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: `client-of-${learner.name}` });
        for (const at of [issuer, learner.issuer]) await fetch(`${at}/oauth2/token`, { method: 'POST', body: form });
        return { ...learner, issuers: [learner.issuer, issuer] };
      }),
    );
    const trainer = await enterRoom(sandbox, key);
    const board = await trainer.open(`${sandbox.url}/room/lessons/${lesson}`);
    await Promise.all(
      driven.map(async ({ name, key: seatKey, issuers }, index) => {
        for (const issuer of issuers) {
          const headers = { Authorization: `Bearer ${seatKey}` };
          const text = await (await fetch(`${issuer}/_sandbox/events?limit=500`, { headers })).text();
          expect(text).toContain(`client-of-${name}`);
          expect(names.filter(other => other !== name && text.includes(other))).toEqual([]);
        }
        expect(marksOf(board, name)[0]).toBe(index % 2 === 0 ? 'done' : 'begun');
      }),
    );
    const ofTrainer = await (await fetch(`${sandbox.url}/_sandbox/events?limit=500`, { headers: asTrainer })).text();
    expect(ofTrainer).not.toContain('client-of-');
    expect(await issuersNow()).toBe(2 * most);

    for (const seat of names) {
      const form = new URLSearchParams({ seat });
      await fetch(`${sandbox.url}/room/controls/end`, { method: 'POST', headers: asTrainer, body: form });
    }
    expect(await issuersNow()).toBe(0);
    const empty = await trainer.open(`${sandbox.url}/join`);
    expect(shown(empty.html, 'join-free')).toBe(`${most} seats are free`);
  } finally {
    await sandbox.stop();
  }
});
