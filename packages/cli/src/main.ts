import { Command } from 'commander';
import {
  discardDeadLetterCommand,
  listDeadLettersCommand,
  parseDeadLetter,
  retryDeadLetterCommand,
} from './dead-letters-command.ts';
import { importWebhooksCommand } from './import-webhooks-command.ts';
import { listReadModelsCommand, rollBackCommand, verifyCommand } from './read-models-command.ts';
import { parseRebuiltService, rebuildCommand } from './rebuild-command.ts';
import { parseDays, parseUser, tokenCommand } from './token-command.ts';

const program = new Command('mneme').description('Long-term memory for AI agents');

program
  .command('start')
  .description('start NATS, MongoDB, Qdrant and all services on this machine; settings come from the environment')
  .action(async () => (await import('./start-command.ts')).startCommand());

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
  .argument('<service>', 'keys, webhook or memory', parseRebuiltService)
  .action((service) => rebuildCommand(service));

const readModels = program
  .command('read-models')
  .description('show the read models and buckets: service, version, state, how far, how far behind, dead letters, why')
  .action(listReadModelsCommand);

readModels
  .command('rollback')
  .description('let the version answer again that answered before')
  .argument('<name>', 'of the read model, such as access')
  .action((name: string) => rollBackCommand(name));

readModels
  .command('verify')
  .description('compare the stores of a read model with each other, and repair what can be repaired')
  .argument('<name>', 'of the read model, such as memory')
  .action((name: string) => verifyCommand(name));

for (const [name, options] of [
  ['dead-letters', {}],
  ['parked', { hidden: true }],
] as const) {
  const deadLetters = program
    .command(name, options)
    .description('show what could not be read, handled or applied: number, time, by whom, type, place, reason')
    .action(listDeadLettersCommand);

  deadLetters
    .command('retry')
    .description('have the handler or the read model take an event once more')
    .argument('<number>', 'the first of its line', parseDeadLetter)
    .action((sequence: number) => retryDeadLetterCommand(sequence));

  deadLetters
    .command('discard')
    .description('go on without an event; the log keeps it')
    .argument('<number>', 'the first of its line', parseDeadLetter)
    .action((sequence: number) => discardDeadLetterCommand(sequence));
}

program
  .command('webhooks')
  .description('webhooks of a system that runs')
  .command('import')
  .description('bring webhooks over from another system with their tokens')
  .argument('<file>', 'a JSON array or JSON Lines with project_id, name, token; and table_id, is_active, created_at')
  .action((file: string) => importWebhooksCommand(file));

await program.parseAsync();
