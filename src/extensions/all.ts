import type { WithCommands } from '../client/cli/command.ts';
import type { ExtensionWithPages } from '../dashboard/page.ts';
import { catalogue } from './catalogue/extension.ts';
import { examine } from './examine/extension.ts';
import { imports } from './import/extension.ts';
import { lessons } from './lessons/extension.ts';
import { mcp } from './mcp/extension.ts';
import { metrics } from './metrics/extension.ts';
import { replicas } from './replicas/extension.ts';
import { report } from './report/extension.ts';
import { sharing } from './sharing/extension.ts';
import { state } from './state/extension.ts';
import { tracing } from './tracing/extension.ts';
import { twin } from './twin/extension.ts';
import { webhooks } from './webhooks/extension.ts';

/** All extensions. Remove a line and its import: the help, the pages, the settings and the operations of that extension are gone. */
export const all: readonly (ExtensionWithPages & WithCommands)[] = [
  catalogue,
  tracing,
  metrics,
  report,
  replicas,
  state,
  examine,
  lessons,
  mcp,
  imports,
  twin,
  sharing,
  webhooks,
];
