import { version } from '../../../package.ts';
import { referenceUrl } from '../../../server/http/reference.ts';
import type { Examination, ModuleResult } from '../examination.ts';
import { requestLine } from '../examination-formats.ts';

/**
 * Writes SARIF 2.1.0 for code scanning: a rule for each module, and a result for each that failed or warned. Code scanning wants a
 * file for each result; the examiner knows none, so the location is the plan and the module.
 */
export function examinationAsSarif({ plan, createdAt, modules, verdict }: Examination): string {
  const found = modules.filter(each => each.verdict === 'fail' || each.verdict === 'warn');
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Grantbox', semanticVersion: version, rules: modules.map(ruleOf) } },
        automationDetails: { id: `grantbox/${plan}/` },
        invocations: [{ executionSuccessful: verdict !== 'inconclusive', endTimeUtc: createdAt }],
        columnKind: 'utf16CodeUnits',
        results: found.map(each => resultOf(each, plan, modules.indexOf(each))),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function ruleOf({ id, title, gain, right, mend, references, suite }: ModuleResult) {
  const [first = ''] = references;
  const helpUri = referenceUrl(first);
  const linked = references.map(reference => {
    const url = referenceUrl(reference);
    return url === undefined ? reference : `[${reference}](${url})`;
  });
  const help = [`What it costs: ${gain}`, `A right app: ${right}`, `To mend it: ${mend}`];
  return {
    id,
    name: id,
    shortDescription: { text: title },
    fullDescription: { text: gain },
    help: {
      text: [...help, references.join(', ')].join('\n'),
      markdown: [...help, linked.join(', ')].map(escaped).join('\n\n'),
    },
    ...(helpUri === undefined ? {} : { helpUri }),
    defaultConfiguration: { level: 'error' },
    properties: { tags: ['security', 'oauth', ...(suite === undefined ? [] : [suite])], references },
  };
}

function escaped(markdown: string): string {
  return markdown.replaceAll('<', '&lt;');
}

function resultOf({ id, verdict, why, requests }: ModuleResult, plan: string, ruleIndex: number) {
  return {
    ruleId: id,
    ruleIndex,
    level: verdict === 'fail' ? 'error' : 'warning',
    message: { text: [why, ...requests.map(requestLine)].join('\n') },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: `grantbox/${plan}/${id}` }, region: { startLine: 1 } },
        logicalLocations: [{ name: id, fullyQualifiedName: `${plan}/${id}`, kind: 'module' }],
      },
    ],
    partialFingerprints: { 'grantboxModule/v1': `${plan}/${id}` },
  };
}
