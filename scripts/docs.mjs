// Writes the generated parts of docs/ between their markers: tables from the schemas, the settings, the routes, the
// commands and the faults, and snippets from the templates of the page Connect.
//
//   node scripts/docs.mjs            writes them
//   node scripts/docs.mjs --check    fails if one is not up to date
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSources } from './docs/load-sources.mjs';
import { renderCatalogue, renderDemoKey } from './docs/render-catalogue.mjs';
import {
  renderAgentTools,
  renderChecks,
  renderCommands,
  renderControlApi,
  renderEndpoints,
  renderEventTypes,
  renderFaults,
  renderLessons,
  renderLimits,
  renderManagementCalls,
  renderMetrics,
  renderMistakes,
  renderOperators,
  renderPlans,
  renderPoolActions,
  renderReadings,
  renderSentences,
  renderWeaknesses,
  renderWebhookTypes,
} from './docs/render-lists.mjs';
import { renderMembers } from './docs/render-members.mjs';
import { renderInitSnippet, renderRecipes } from './docs/render-snippets.mjs';

const root = join(import.meta.dirname, '..');
const sources = await loadSources(root);

/** The text of each marker, by document. */
const parts = {
  'docs/agents.md': { tools: () => renderAgentTools(sources) },
  'docs/catalogue.md': { catalogue: () => renderCatalogue(sources), 'demo key': () => renderDemoKey(sources) },
  'docs/clients-and-users.md': {
    clients: () => renderMembers(sources, root, 'clients'),
    users: () => renderMembers(sources, root, 'users'),
    scopes: () => renderMembers(sources, root, 'scopes'),
    collections: () => renderMembers(sources, root, 'collections'),
    'authorization details types': () => renderMembers(sources, root, 'authorizationDetailsTypes'),
    'trusted issuers': () => renderMembers(sources, root, 'trustedIssuers'),
  },
  'docs/control-api.md': {
    operations: () => renderControlApi(sources),
    'webhook types': () => renderWebhookTypes(sources),
  },
  'docs/guides/api.md': {
    'snippet express': async () => `<!-- file api.mjs -->\n${await renderInitSnippet(sources, 'express')}`,
  },
  'docs/dashboard.md': { operators: () => renderOperators(sources) },
  'docs/examine.md': { plans: () => renderPlans(sources), checks: () => renderChecks(sources) },
  'docs/faults.md': { faults: () => renderFaults(sources) },
  'docs/learn.md': {
    lessons: () => renderLessons(sources),
    mistakes: () => renderMistakes(sources),
    weaknesses: () => renderWeaknesses(sources),
    'event types': () => renderEventTypes(sources),
    readings: () => renderReadings(sources),
  },
  'docs/operations.md': { metrics: () => renderMetrics(sources), limits: () => renderLimits(sources) },
  'docs/protocol.md': { endpoints: () => renderEndpoints(sources) },
  'docs/providers/cognito.md': { 'user pool': () => renderPoolActions(sources) },
  'docs/providers/auth0.md': { calls: () => renderManagementCalls(sources.auth0Calls, '/api/v2', 'scope') },
  'docs/providers/keycloak.md': {
    calls: () => renderManagementCalls(sources.keycloakCalls, '/admin/realms/{realm}', 'role'),
  },
  'docs/providers/okta.md': { calls: () => renderManagementCalls(sources.oktaCalls, '/api/v1', 'scope') },
  'docs/recipes.md': { recipes: () => renderRecipes(sources) },
  'docs/teaching.md': { sentences: () => renderSentences(sources) },
  'docs/token-claims.md': { 'token claims': () => renderMembers(sources, root, 'tokenClaims') },
  'docs/settings.md': { settings: () => sources.renderSettings(), commands: () => renderCommands(sources) },
};

const isCheck = process.argv.includes('--check');
for (const [document, contents] of Object.entries(parts)) {
  const path = join(root, document);
  const text = readFileSync(path, 'utf8');
  let written = text;
  for (const [name, render] of Object.entries(contents)) {
    written = replaceBetweenMarkers(document, written, name, await render());
  }
  if (written === text) continue;
  if (!isCheck) writeFileSync(path, written);
  else {
    console.error(`The generated parts of ${document} are not up to date: npm run docs writes them.`);
    process.exitCode = 1;
  }
}

function replaceBetweenMarkers(document, text, name, content) {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [before, rest] = text.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${document} has no ${start} … ${end}`);
  return `${before}${start}\n${content}\n${end}${after}`;
}
