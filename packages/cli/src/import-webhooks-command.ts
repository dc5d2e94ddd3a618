import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { WireError, webhook } from '@mneme/contracts';
import type { OperatedSystem } from '@mneme/read-models';
import { type LegacyWebhook, type PlacedWebhook, parseLegacyWebhooks } from './legacy-webhooks.ts';
import { runCommand } from './run-command.ts';
import { withRunningSystem } from './running-system.ts';

const callTimeoutMs = 30_000;

/**
 * Brings webhooks over from another system with their tokens, so that no one who calls them has to be told. Refused ones are
 * left out.
 */
export function importWebhooksCommand(file: string): Promise<void> {
  return runCommand('Nothing was imported.', async () => {
    const webhooks = parseLegacyWebhooks(await readFile(resolve(process.env.INIT_CWD ?? '.', file), 'utf8'));
    await withRunningSystem((system) => runCommand(endedEarly, () => importAndReport(system, webhooks)));
    return undefined;
  });
}

const endedEarly = 'The import ended early; what was brought over stays, and the command can be repeated.';

async function importAndReport(system: OperatedSystem, webhooks: readonly PlacedWebhook[]): Promise<string> {
  let added = 0;
  let refused = 0;
  for (const { place, webhook } of webhooks) {
    try {
      if (await importOne(system, webhook)) added += 1;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused += 1;
      process.stderr.write(`${place}, '${webhook.name}': ${error.message}\n`);
    }
  }
  const all = `${added} of ${webhooks.length} webhooks were added`;
  if (refused === 0) return `${all}; the others were there already.`;
  process.exitCode = 1;
  return `${all}, ${refused} were refused. Correct what is refused and run the same command again.`;
}

/** @returns whether it was not there before */
async function importOne(system: OperatedSystem, each: LegacyWebhook): Promise<boolean> {
  const { type, secret = null } = each.verification ?? { type: 'none' };
  const request = {
    projectId: each.project_id,
    name: each.name,
    token: each.token,
    tableId: each.table_id ?? null,
    isActive: each.is_active ?? true,
    createdBy: each.created_by ?? 1,
    createdAt: each.created_at ?? null,
    ...(type !== 'none' && { verification: { type, secret } }),
  };
  const { id, isNew, verification = 'none' } = await system.call(webhook.importWebhook, request, callTimeoutMs);
  if (type !== 'none' && verification === 'none') throw unsigned(id);
  return isNew;
}

/** It was imported before without its verification, or by a service of an earlier release. */
function unsigned(id: number): WireError {
  const whatToDo = `Set its verification with PATCH /api/v3/webhooks/${id}`;
  const message = `Webhook ${id} is here and accepts deliveries that are not signed. ${whatToDo}`;
  return new WireError({ status: 409, code: 'CONFLICT', message });
}

/** Whether the record is to blame, and not the system. */
function isRefusal(error: unknown): error is WireError {
  return error instanceof WireError && error.status < 500;
}
