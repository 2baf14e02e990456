// The command line. Times and counts have defaults for a run of about five minutes, and others for a look of one.
import { parseArgs } from 'node:util';

/** [default, default with --quick, what it is] */
const numbers = {
  starts: [21, 7, 'starts of each program'],
  rounds: [5, 3, 'rounds of load for each pair'],
  seconds: [2, 1, 'length of one round of load, in whole seconds'],
  tokens: [100_000, 100_000, 'tokens before memory is looked at'],
  growth: [1_000_000, 0, 'tokens before memory is looked at again; 0 leaves that out'],
};

export function readArguments(sections) {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      only: { type: 'string' },
      ...Object.fromEntries(Object.keys(numbers).map(name => [name, { type: 'string' }])),
    },
  });
  if (values.only !== undefined && !sections.includes(values.only)) {
    throw new Error(`--only ${values.only}: there are ${sections.join(', ')}`);
  }
  for (const [name, [usual, quick]] of Object.entries(numbers)) {
    values[name] = values[name] === undefined ? (values.quick ? quick : usual) : wholeNumber(name, values[name]);
  }
  return values;
}

function wholeNumber(name, text) {
  const least = name === 'growth' ? 0 : 1;
  if (!/^\d+$/.test(text) || Number(text) < least) throw new Error(`--${name} ${text}: a whole number from ${least}`);
  return Number(text);
}

export function usage(sections) {
  const rows = Object.entries(numbers).map(
    ([name, [usual, quick, about]]) => `  ${`--${name} <n>`.padEnd(20)}${about} (${usual}; quick ${quick})`,
  );
  return [
    'npm run bench -- [options]',
    '',
    `  ${'--only <section>'.padEnd(20)}one of ${sections.join(', ')}`,
    `  ${'--quick'.padEnd(20)}about a minute instead of five`,
    `  ${'--json'.padEnd(20)}everything measured, as JSON`,
    ...rows,
    '',
  ].join('\n');
}
