import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const contents = [
  `export { renderSettings } from './src/sandbox/config/settings-table.ts';`,
  `export { fileSchema } from './src/sandbox/config/file-schema.ts';`,
  `export { commandsOf } from './src/client/cli/commands.ts';`,
  `export { modules } from './src/modules.ts';`,
  `export { variants } from './src/client/cli/init-variants.ts';`,
  `export { openapiDocument } from './src/sandbox/control/api/openapi.ts';`,
  `export { operationsWith } from './src/sandbox/control/api/operations/index.ts';`,
  `export { catalogue } from './src/server/faults/catalogue.ts';`,
  `export { endpointRoutes } from './src/server/http/routes.ts';`,
  `export { certificateRoutes, otherRoutes } from './src/server/http/other-routes.ts';`,
  `export { eventTable, stampFields } from './src/extensions/lessons/checks/event-table.ts';`,
  `export { readings, requestParts } from './src/extensions/lessons/checks/readings.ts';`,
  `export { mistakes } from './src/extensions/lessons/mistakes.ts';`,
  `export { apiWords, relaxationWords } from './src/extensions/lessons/lab/weakness-words.ts';`,
  `export { protectionWords } from './src/extensions/lessons/demo-app/words.ts';`,
  `export { loadAll } from './src/extensions/lessons/built-in.ts';`,
  `export { checkTable } from './src/extensions/examine/check-table.ts';`,
  `export { planList } from './src/extensions/examine/plan-list.ts';`,
  `export { tools } from './src/extensions/mcp/mcp-server.ts';`,
  `export { webhookTypes } from './src/extensions/webhooks/messages.ts';`,
  `export { poolActions } from './src/providers/cognito/pool/user-pool.ts';`,
  `export { managementCalls as auth0Calls } from './src/providers/auth0/api/api.ts';`,
  `export { adminCalls as keycloakCalls } from './src/providers/keycloak/admin/admin.ts';`,
  `export { adminCalls as oktaCalls } from './src/providers/okta/admin/admin.ts';`,
  `export { defaultPaths } from './src/protocol/authorization-server.ts';`,
  `export { loadConfig } from './src/sandbox/config/load-config.ts';`,
  `export { connectFacts } from './src/dashboard/connect-pages.ts';`,
  `export { gaugeRows, metricRows } from './src/extensions/metrics/metrics-table.ts';`,
  `export { limitRows } from './src/sandbox/limits.ts';`,
  `export { settings, settingsWith } from './src/sandbox/config/settings.ts';`,
  `export { applicationKinds } from './src/extensions/catalogue/ready-client.ts';`,
  `export { readyClients } from './src/extensions/catalogue/ready-clients.ts';`,
  `export { demoPrivateKey } from './src/extensions/catalogue/demo-key.ts';`,
  `export { commandOf } from './src/extensions/catalogue/catalogue-pages.ts';`,
  `export { entryText } from './src/sandbox/control/entry-text.ts';`,
  `export { familyTitles } from './src/dashboard/connect-pages.ts';`,
  `export { snippetOf, snippets } from './src/dashboard/snippets/snippets.ts';`,
].join('\n');

/** The modules that documents are made from. They are TypeScript: bundled into one file, which Node can load. */
export async function loadSources(root) {
  const folder = mkdtempSync(join(tmpdir(), 'grantbox-docs-'));
  try {
    const outfile = join(folder, 'sources.cjs');
    await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile,
      external: ['jiti'],
      loader: { '.md': 'text' },
      // the folder from which templates are found
      define: { 'import.meta.dirname': JSON.stringify(join(root, 'src')) },
      logLevel: 'error',
    });
    return withTables((await import(pathToFileURL(outfile))).default);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The tables of the core with those of extensions. */
async function withTables(sources) {
  const { modules, settingsWith, commandsOf, operationsWith, renderSettings, fileSchema } = sources;
  const table = settingsWith(modules);
  const ofExtensions = await Promise.all(modules.extensions.map(each => each.operations?.() ?? []));
  return {
    ...sources,
    commands: commandsOf(modules),
    operations: operationsWith(ofExtensions.flat()),
    otherRoutes: [
      ...sources.otherRoutes,
      ...modules.extensions.flatMap(({ routes = [] }) => routes.filter(({ methods }) => methods.length > 0)),
    ],
    renderSettings: () => renderSettings(table),
    fileSchema: () => fileSchema(table),
  };
}
