// Files that are read only where somebody chose what is in them, each with a budget of its own in bytes.
const kB = 1000;
const chosen = [
  // 36 kB that only a configuration in YAML needs; the pack of today's features has no room for them
  { what: 'the parser of YAML files', file: /^yaml\.pack$/, most: 45 * kB },
  { what: 'the check of bcrypt hashes', file: /^bcrypt\.pack$/, most: 15 * kB },
  { what: 'the catalogue of ready clients', file: /^catalogue\.pack$/, most: 15 * kB },
  { what: 'lessons and the playground', file: /^lessons\.pack$/, most: 250 * kB },
  { what: 'the readers of configurations of other mocks', file: /^import-mocks\.pack$/, most: 25 * kB },
  { what: 'the readers of exports of other providers', file: /^import\.pack$/, most: 25 * kB },
  { what: 'the metrics of Prometheus', file: /^metrics\.pack$/, most: 40 * kB },
  { what: 'the spans of OpenTelemetry', file: /^tracing\.pack$/, most: 10 * kB },
  { what: 'the twin of a tenant', file: /^twin\.pack$/, most: 25 * kB },
  { what: 'the server for coding agents (MCP)', file: /^mcp\.pack$/, most: 200 * kB },
  { what: 'webhooks with their page', file: /^webhooks\.pack$/, most: 25 * kB },
  { what: 'the data of a provider', file: /^provider-[\w-]+\.pack$/, most: 25 * kB },
  { what: 'the reader of recorded sessions, with what repeats one as a test', file: /^open\.pack$/, most: 35 * kB },
  { what: 'the state file', file: /^state\.pack$/, most: 10 * kB },
  { what: 'the shared store with metrics', file: /^shared-store\.pack$/, most: 180 * kB },
];

/** Packs besides the one of today's features. Nothing is allowed for a pack that nobody gave a budget. */
export function chosenPacks(files) {
  const packs = files.filter(file => file.endsWith('.pack') && file !== 'grantbox.pack');
  return packs.map(file => {
    const { what = 'a pack without a budget', most = 0 } = chosen.find(each => each.file.test(file)) ?? {};
    return { file, what, most };
  });
}
