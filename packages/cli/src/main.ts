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
  .description('start NATS, MongoDB, Qdrant and all services on this machine, with the settings of the environment')
  .action(async () => (await import('./start-command.ts')).startCommand());

program
  .command('reembed')
  .description(
    'compute the vectors of stored memories with the embedding model of the environment; stop the services first',
  )
  .action(async () => (await import('./reembed/reembed-command.ts')).reembedCommand());

program
  .command('token')
  .description('print a token for a user, signed with the secret of the local start or with JWT_SECRET')
  .requiredOption('--user <id>', 'id of the user', parseUser)
  .option('--days <number>', 'how many days it is valid', parseDays, 30)
  .action(tokenCommand);

program
  .command('rebuild')
  .description('rebuild the read models of a service from the log while the system runs')
  .argument('<service>', 'keys, webhook or memory', parseRebuiltService)
  .action((service) => rebuildCommand(service));

const readModels = program
  .command('read-models')
  .description('list read models and buckets: service, version, state, position, lag, dead letters, reason')
  .action(listReadModelsCommand);

readModels
  .command('rollback')
  .description('answer from the previous version again')
  .argument('<name>', 'name of the read model, such as access')
  .action((name: string) => rollBackCommand(name));

readModels
  .command('verify')
  .description('compare the stores of a read model and repair differences')
  .argument('<name>', 'name of the read model, such as memory')
  .action((name: string) => verifyCommand(name));

for (const [name, options] of [
  ['dead-letters', {}],
  ['parked', { hidden: true }],
] as const) {
  const deadLetters = program
    .command(name, options)
    .description('list events that could not be read, handled or applied: number, time, reader, type, position, reason')
    .action(listDeadLettersCommand);

  deadLetters
    .command('retry')
    .description('process an event again')
    .argument('<number>', 'number at the beginning of its line', parseDeadLetter)
    .action((sequence: number) => retryDeadLetterCommand(sequence));

  deadLetters
    .command('discard')
    .description('continue without an event; the log keeps it')
    .argument('<number>', 'number at the beginning of its line', parseDeadLetter)
    .action((sequence: number) => discardDeadLetterCommand(sequence));
}

program
  .command('webhooks')
  .description('manage webhooks of a running system')
  .command('import')
  .description('import webhooks with their tokens from another system')
  .argument(
    '<file>',
    'JSON array or JSON Lines with project_id, name, token; optional: table_id, is_active, created_at',
  )
  .action((file: string) => importWebhooksCommand(file));

await program.parseAsync();
