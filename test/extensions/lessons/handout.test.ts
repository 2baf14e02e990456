import { describe, expect, it } from 'vitest';
import { builtIn } from '../../../src/extensions/lessons/built-in.ts';
import { handoutPage } from '../../../src/extensions/lessons/pages/lesson-page.ts';
import { readLessonText } from '../../../src/extensions/lessons/text/lesson-text.ts';
import { withBlanks } from '../../../src/extensions/lessons/text/to-html.ts';

const code = (...lines: string[]) => ['```sh', ...lines, '```'].join('\n');

describe('a handout', () => {
  it.each([
    [
      'the client and the form',
      "curl -u shop:secret '{{issuer}}/oauth2/token' -d grant_type=password",
      "curl -u ________:________ '________/oauth2/token' -d grant_type=________",
    ],
    [
      'a query',
      '{{issuer}}/oauth2/authorize?client_id=shop&scope=a+b',
      '________/oauth2/authorize?client_id=________&scope=________',
    ],
    [
      'a variable and a header',
      'TOKEN=paste it\ncurl -H "Authorization: Bearer $TOKEN"',
      'TOKEN=________\ncurl -H "Authorization: Bearer ________"',
    ],
  ])('has blanks for %s', (_what, command, expected) => {
    expect(withBlanks(code(command))).toBe(code(expected));
  });

  it('leaves the text around commands as it is, but for the issuer', () => {
    expect(withBlanks('Send `scope=a` to {{issuer}}.')).toBe('Send `scope=a` to ________.');
  });

  it('leaves out a secret where the text names it, but not a longer word with the same letters', () => {
    expect(withBlanks('Its secret is `pump`, not `pump-2` or a pumpkin.', ['pump'])).toBe(
      'Its secret is `________`, not `pump-2` or a pumpkin.',
    );
  });

  it('shows no secret of a client and no verifier of a built-in lesson, in the whole of what is printed', async () => {
    let secrets = 0;
    for (const { id, load } of builtIn) {
      const { lesson: own, text } = await load();
      const printed = JSON.stringify(handoutPage({ id, code: own, text: readLessonText(id, text) }));
      const ofClients = (own.issuer.clients ?? []).flatMap(({ client_secret: secret }) => secret ?? []);
      secrets += ofClients.length;
      for (const secret of ofClients) expect(printed, id).not.toMatch(new RegExp(`\\b${secret}\\b`));
      expect(printed, id).not.toContain('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk');
    }
    expect(secrets).toBeGreaterThan(2);
  });
});
