import { commandsOf } from '../../src/client/cli/commands.ts';
import { modules } from '../../src/modules.ts';
import { settingsWith } from '../../src/sandbox/config/settings.ts';
import type { Operation } from '../../src/sandbox/control/api/operation.ts';
import { operationsWith } from '../../src/sandbox/control/api/operations/index.ts';

export const settingList = settingsWith(modules);

export const commands = commandsOf(modules);

export const operations: readonly Operation[] = operationsWith(
  (await Promise.all(modules.extensions.map(each => each.operations?.() ?? []))).flat(),
);
