import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { webhook } from '@mneme/contracts';
import type { OperatedSystem } from '@mneme/read-models';
import { messageOf } from '@mneme/service-kit';
import { type LegacyWebhook, parseLegacyWebhooks } from './legacy-webhooks.ts';
import { runCommand } from './run-command.ts';
import { withRunningSystem } from './running-system.ts';

const callTimeoutMs = 30_000;

/** Brings webhooks over from another system with their tokens, so that no one who calls them has to be told. */
export function importWebhooksCommand(file: string): Promise<void> {
  return runCommand(
    'The import ended early; what was brought over stays, and the command can be repeated.',
    async () => {
      const webhooks = parseLegacyWebhooks(await readFile(resolve(process.env.INIT_CWD ?? '.', file), 'utf8'));
      const added = await withRunningSystem(process.env, (system) => importAll(system, webhooks));
      return `${added} of ${webhooks.length} webhooks were added; the others were there already.`;
    },
  );
}

async function importAll(system: OperatedSystem, webhooks: readonly LegacyWebhook[]): Promise<number> {
  let added = 0;
  for (const each of webhooks) {
    const request = {
      projectId: each.project_id,
      name: each.name,
      token: each.token,
      tableId: each.table_id ?? null,
      isActive: each.is_active ?? true,
      createdBy: each.created_by ?? 1,
      createdAt: each.created_at ?? null,
    };
    const { isNew } = await system.call(webhook.importWebhook, request, callTimeoutMs).catch((error: unknown) => {
      throw new Error(`'${each.name}': ${messageOf(error)}`, { cause: error });
    });
    if (isNew) added += 1;
  }
  return added;
}
