import { Command } from 'commander';
import { parseDays, parseUser, tokenCommand } from './identity/token-command.ts';
import { discardParkedCommand, listParkedCommand, parseParked, retryParkedCommand } from './parked/parked-command.ts';
import { parseRebuiltService, rebuildCommand } from './rebuild/rebuild-command.ts';
import { importWebhooksCommand } from './webhooks/import-command.ts';

// What brings all services or models with it is only loaded when it is asked for.
const program = new Command('mneme').description('Long-term memory for AI agents');

program
  .command('start')
  .description('start NATS, MongoDB, Qdrant and all services on this machine; settings come from the environment')
  .action(async () => (await import('./start/start.ts')).start());

program
  .command('reembed')
  .description(
    'bring the memory over to another embedding model, that of the environment; while the services do not run',
  )
  .action(async () => (await import('./reembed/reembed-command.ts')).reembedCommand());

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

const parked = program
  .command('parked')
  .description('show what no reader could read and what handlers gave up: number, time, by whom, type, place, reason')
  .action(listParkedCommand);

parked
  .command('retry')
  .description('have the handler take an event once more')
  .argument('<number>', 'the first of its line', parseParked)
  .action((sequence: number) => retryParkedCommand(sequence));

parked
  .command('discard')
  .description('take an event off the list; the log keeps it')
  .argument('<number>', 'the first of its line', parseParked)
  .action((sequence: number) => discardParkedCommand(sequence));

program
  .command('webhooks')
  .description('webhooks of a system that runs')
  .command('import')
  .description('bring webhooks over from another system with their tokens')
  .argument('<file>', 'a JSON array or JSON Lines with project_id, name, token; and table_id, is_active, created_at')
  .action((file: string) => importWebhooksCommand(file));

await program.parseAsync();
