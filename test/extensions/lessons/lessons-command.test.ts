import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type } from '../../client/cli/support.ts';
import { observes } from '../../observed.ts';
import { newFolder } from '../../support/new-folder.ts';
import { packFolder, printer } from './pack/support.ts';

const run = (cwd: string, ...argv: string[]) => type(['lessons', ...argv], { cwd });

describe('grantbox lessons', () => {
  it('lists the built-in lessons and those of the folder', async () => {
    observes('command lessons');
    const { code, out } = await run(packFolder({ '01-printer': printer }));
    expect(code).toBe(0);
    expect(out).toMatch(/^discovery +10 min {2}Where am I\?\n/);
    expect(out).toMatch(/\nprinter +10 min {2}The printer logs in\n$/);
  });

  it('reads the lessons beside the configuration of a different folder', async () => {
    observes('command lessons --beside');
    const { out } = await run(newFolder(), '--beside', packFolder({ '01-printer': printer }));
    expect(out).toMatch(/\nprinter +10 min/);
  });

  it('lists every problem of invalid lessons, with exit code 1', async () => {
    const cwd = packFolder({ '01-printer': { 'lesson.md': printer['lesson.md'] }, '02-empty': { 'lesson.md': '' } });
    const { code, note } = await run(cwd);
    expect(code).toBe(1);
    expect(note).toContain('lessons/01-printer/lesson.ts: expected a file that exists');
    expect(note).toContain('lessons/02-empty/lesson.md:1: expected front matter');
  });
});

describe('grantbox lessons --new', () => {
  it('writes a lesson that passes --test, and a second one with the next number', async () => {
    observes('command lessons --new', 'command lessons --test');
    const cwd = newFolder();
    const written = await run(cwd, '--new', 'scanner');
    expect(written).toMatchObject({
      code: 0,
      out: 'lessons/01-scanner was written. Next:  grantbox lessons --test scanner\n',
    });
    expect(await run(cwd, '--test', 'scanner')).toEqual({
      code: 0,
      out: 'ok      scanner / token\nok      scanner / scope\n',
      note: '',
    });
    expect((await run(cwd, '--new', 'copier')).out).toContain('lessons/02-copier was written');
    expect(readFileSync(join(cwd, 'lessons/02-copier/solve.ts'), 'utf8')).toContain('copier-secret');
  });

  it.each([
    ['refresh', /refresh is a lesson already\. Choose a different name/],
    ['../x', /--new expects small letters, digits and -, such as printer, not "\.\.\/x"/],
  ])('refuses the name %s', async (name, said) => {
    const { code, note } = await run(newFolder(), '--new', name);
    expect(code).toBe(1);
    expect(note).toMatch(said);
  });
});

const both = "solve: async by => void (await ask(by, 'reports:write'), await ask(by, 'reports:read')),";

describe('grantbox lessons --test', () => {
  it('ends with exit code 1 and names the task whose solver or near miss is wrong', async () => {
    const { 'solve.ts': solve } = printer;
    const cwd = packFolder({
      '01-printer': printer,
      '02-lax': { ...printer, 'solve.ts': solve.replace("ask('wrong')", "ask('printer-secret')") },
      '03-broken': { ...printer, 'solve.ts': solve.replace("ask('printer-secret')", "ask('other')") },
      '04-thrower': {
        ...printer,
        'solve.ts': solve.replace("by.call('/oauth2/token', ask('printer-secret'))", "by.open('http://[')"),
      },
      '05-other': { ...printer, 'solve.ts': solve.replace('token: {', 'tokens: {') },
      '06-none': { 'lesson.md': printer['lesson.md'], 'lesson.ts': printer['lesson.ts'] },
    });
    const { code, out, note } = await run(cwd, '--test');
    expect(code).toBe(1);
    expect(out.split('\n')).toEqual([
      'ok      printer / token',
      'NOT OK  lax / token: its near miss "a wrong secret" solved it',
      expect.stringMatching(
        /^NOT OK {2}broken \/ token: its solver did not solve it: not yet; the events were .*error\.returned.*says "The client_secret/,
      ),
      expect.stringMatching(/^NOT OK {2}thrower \/ token: its solver ended with TypeError: /),
      'NOT OK  other / token: solve.ts has no solver for it',
      'NOT OK  other / tokens: solve.ts solves it, but the lesson has no such task',
      'NOT OK  none / token: solve.ts: expected a file that exists',
      '',
    ]);
    expect(note).toMatch(/^grantbox lessons: 6 of 7 tasks failed: lax \/ token, broken \/ token, /);
  });

  it('names each near miss and solver that does a task of which `also` says nothing, and each `also` that is not done', async () => {
    /** The failures of a new lesson whose solve.ts is changed. */
    const outOf = async (change: (solve: string) => string) => {
      const cwd = newFolder();
      await run(cwd, '--new', 'scanner');
      const path = join(cwd, 'lessons/01-scanner/solve.ts');
      writeFileSync(path, change(readFileSync(path, 'utf8')));
      return (await run(cwd, '--test')).out.split('\n').filter(line => line.startsWith('NOT'));
    };
    expect(await outOf(solve => solve.replaceAll(/also: \['\w+'\],?/g, ''))).toEqual([
      'NOT OK  scanner / token: its near miss "a scope that the client may not have" also solved scope, which its `also` does not name',
      'NOT OK  scanner / scope: its near miss "the scope that it may have" also solved token, which its `also` does not name',
    ]);
    expect(
      await outOf(solve => solve.replace("solve: async by => void (await ask(by, 'reports:read')),", both)),
    ).toEqual(['NOT OK  scanner / token: its solver also solved scope, which its `also` does not name']);
    expect(
      await outOf(solve => solve.replace("'reports:writ')), says", "'reports:writ')), also: ['token'], says")),
    ).toEqual([
      'NOT OK  scanner / scope: its near miss "a typo in the scope" did not solve token, which its `also` names',
    ]);
    expect(await outOf(solve => solve.replace('nearMisses: {', 'nearMisses: [], x: {'))).toEqual(
      ['token', 'scope'].map(task =>
        expect.stringContaining(`${task}: solve.ts: solver.token: expected an object with`),
      ),
    );
  });

  it('says of a solver that does not solve its task which fields were there', async () => {
    const code = printer['lesson.ts'].replace(
      "grant_type: 'client_credentials' })]",
      "grant_type: 'client_credentials', alg: 'ES256' })]",
    );
    const { out } = await run(packFolder({ '01-printer': { ...printer, 'lesson.ts': code } }), '--test');
    expect(out).toMatch(/did not solve it: close: alg was RS256, expected ES256; there were .*client_id, .*grant_type/);
  });

  it('compares what a near miss is told', async () => {
    const solve = printer['solve.ts'].replace(/ \} \},\n/, ", says: 'Use Basic' } },\n");
    const { out } = await run(packFolder({ '01-printer': { ...printer, 'solve.ts': solve } }), '--test');
    expect(out).toMatch(
      /its near miss "a wrong secret" is told "The client_secret of .*", and its `says` is "Use Basic"/,
    );
  });

  it('tests built-in lessons by their id', async () => {
    const { code, out } = await run(packFolder({ '01-printer': printer }), '--test', 'printer', 'client-credentials');
    expect([code, out]).toEqual([
      0,
      'ok      client-credentials / token\nok      client-credentials / call\nok      client-credentials / scope\nok      client-credentials / secret\nok      printer / token\n',
    ]);
  });

  it.each([
    [['--test'], /there is no folder `lessons` with a lesson of yours/],
    [['--test', 'nothing'], /nothing is not a lesson: the lessons are discovery, /],
    [['refresh'], /refresh is only of use with --test/],
    [['--built-in'], /--built-in is only of use with --test/],
    [['--test', '--new', 'a'], /--new and --test cannot be used together/],
    [['--beside', 'nowhere'], /the folder .*nowhere does not exist/],
  ])('refuses %j', async (argv, said) => {
    const { code, note } = await run(newFolder(), ...argv);
    expect(code).toBe(1);
    expect(note).toMatch(said);
  });
});
