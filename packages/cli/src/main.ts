import { Command } from 'commander';
import { parseDays, parseUser, tokenCommand } from './identity/token-command.ts';
import { parseRebuiltService, rebuildCommand } from './rebuild/rebuild-command.ts';
import { reembedCommand } from './reembed/reembed-command.ts';
import { start } from './start/start.ts';
import { importWebhooksCommand } from './webhooks/import-command.ts';

const program = new Command('mneme').description('Long-term memory for AI agents');

program
  .command('start')
  .description('start NATS, MongoDB, Qdrant and all services on this machine; settings come from the environment')
  .action(start);

program
  .command('reembed')
  .description(
    'bring the memory over to another embedding model, that of the environment; while the services do not run',
  )
  .action(reembedCommand);

program
  .command('token')
  .description('print a token for a user of the local start, signed with its secret or with JWT_SECRET')
  .requiredOption('--user <id>', 'who the token is for', parseUser)
  .option('--days <number>', 'how long it is good for', parseDays, 30)
  .action(tokenCommand);

program
  .command('rebuild')
  .description('make what a service has derived again from the log, while everything runs')
  .argument('<service>', 'keys or webhook', parseRebuiltService)
  .action((service) => rebuildCommand(service));

program
  .command('webhooks')
  .description('webhooks of a system that runs')
  .command('import')
  .description('bring webhooks over from another system with their tokens')
  .argument('<file>', 'a JSON array or JSON Lines with project_id, name, token; and table_id, is_active, created_at')
  .action((file: string) => importWebhooksCommand(file));

await program.parseAsync();
