import { maxSessionDays, rebuiltServices } from '@mneme/contracts';
import { formatNames } from '@mneme/import';
import { endOnUncaughtErrors } from '@mneme/service-kit';
import { Argument, Command, Option } from 'commander';
import { checkLogCommand } from './check-log-command.ts';
import {
  type ChosenDeadLetters,
  discardDeadLettersCommand,
  listDeadLettersCommand,
  retryDeadLettersCommand,
} from './dead-letters-command.ts';
import { idParser } from './id-parser.ts';
import { type ImportOptions, importCommand, parseAgent } from './import/import-command.ts';
import { importWebhooksCommand } from './import-webhooks-command.ts';
import { listReadModelsCommand, rebuildCommand, rollBackCommand, verifyCommand } from './read-models-command.ts';
import { parseLogPosition, removeMessageCommand } from './remove-message-command.ts';
import { secretsCommand } from './secrets-command.ts';
import { signInCommand } from './sign-in-command.ts';
import { daysParser, maxTokenDays, tokenCommand } from './token-command.ts';

endOnUncaughtErrors();
// A reader such as `head` may leave. What is printed after that is dropped; the command goes on, for its work matters.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const parseUser = idParser('A user id is a whole number greater than 0, of 15 digits at most.');
const parseDeadLetter = idParser('Use the id in the first column of `mneme dead-letters`.');
const parseDeadLetters = (text: string, earlier: readonly number[] = []) => [...earlier, parseDeadLetter(text)];

const program = new Command('mneme').description('Long-term memory for AI agents');

program
  .command('start')
  .description('start NATS, MongoDB, Qdrant and all services on this machine, with the settings of the environment')
  .action(async () => (await import('./start-command.ts')).startCommand());

program
  .command('reembed')
  .description(
    'bring stored memories to another embedding model, while the system runs and answers; run it again if it was interrupted',
  )
  .option('--model <model>', 'such as builtin:minilm; EMBEDDING_MODEL of the environment unless given')
  .action(async (options) => (await import('./reembed/reembed-command.ts')).reembedCommand(options));

program
  .command('import')
  .description(
    'import files and folders into the memory of an agent: text, Markdown, JSON Lines, exports of ChatGPT, Claude, mem0 and ' +
      'Hindsight; run it again if it was interrupted',
  )
  .argument('<path...>', 'files and folders')
  .requiredOption('--agent <id>', 'the agent that remembers', parseAgent)
  .option(
    '--space <id>',
    'the space of the agent, for the token of a user; their personal one unless given',
    idParser('The id of a space is a whole number greater than 0.'),
  )
  .option('--url <url>', 'address of the system; MNEME_URL, else http://127.0.0.1:8080, unless given')
  .option('--key <key>', 'API key or token; better set MNEME_API_KEY, which other users of the machine cannot see')
  .addOption(new Option('--format <format>', 'detected unless given').choices(formatNames))
  .option('--dry-run', 'show what would be stored, and send nothing')
  .action((paths: string[], options: ImportOptions) => importCommand(paths, options));

program
  .command('token')
  .description('print a token for a user, signed with the secret of the local start or with JWT_SECRET')
  .requiredOption('--user <id>', 'id of the user', parseUser)
  .option('--days <number>', 'how many days it is valid', daysParser(maxTokenDays), 30)
  .action(tokenCommand);

program
  .command('sign-in')
  .description('print a link to the console that signs one browser in as a user, once, within 10 minutes')
  .requiredOption('--user <id>', 'id of the user', parseUser)
  .option(
    '--days <number>',
    `how many days the browser stays signed in, ${maxSessionDays} at most`,
    daysParser(maxSessionDays),
    30,
  )
  .option(
    '--url <url>',
    'where browsers reach the system; MNEME_URL, else PUBLIC_BASE_URL, else the address of the local start, unless given',
  )
  .action(signInCommand);

program
  .command('secrets')
  .description(
    'print the settings of a system in containers with random secrets: `npm run --silent mneme -- secrets > .env`',
  )
  .option('--file <path>', 'write the secrets into this file that it lacks; those that it has stay as they are')
  .option('--only', 'only the secrets')
  .action(secretsCommand);

program
  .command('rebuild')
  .description('rebuild the read models of a service from the log while the system runs')
  .addArgument(new Argument('<service>').choices(rebuiltServices))
  .option('--accept-loss', 'go on without events that damaged files of the log do not give any more')
  .action((service, options) => rebuildCommand(service, options));

program
  .command('check-log')
  .description(
    'read all events of the log from each NATS server, and name those that damaged files do not give any more',
  )
  .action(checkLogCommand);

program
  .command('remove-message')
  .description(
    'take a message that is no event out of the log; commands of its agent, key, webhook or table work again then',
  )
  .argument('<position>', 'stream and sequence, such as ACCESS:42', parseLogPosition)
  .requiredOption('--save <file>', 'a new file that keeps the message; - for standard output')
  .action(removeMessageCommand);

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
    .description('list events that could not be read, handled or applied: id, time, reader, type, position, reason')
    .action(listDeadLettersCommand);

  deadLetters
    .command('retry')
    .description('process events again, one after the other')
    .argument('[id...]', 'ids at the beginning of their lines', parseDeadLetters)
    .option('--reader <name>', 'all of this reader, such as memory-vectors: the third column')
    .option('--all', 'all that are in the list now')
    .action((ids: number[] | undefined, options: Omit<ChosenDeadLetters, 'ids'>) =>
      retryDeadLettersCommand({ ...options, ids: ids ?? [] }),
    );

  deadLetters
    .command('discard')
    .description('continue without these events; the log keeps them')
    .argument('<id...>', 'ids at the beginning of their lines', parseDeadLetters)
    .action(discardDeadLettersCommand);
}

program
  .command('webhooks')
  .description('manage webhooks of a running system')
  .command('import')
  .description('import webhooks with their tokens from another system')
  .argument(
    '<file>',
    'JSON array or JSON Lines with project_id, name, token; optional: table_id, is_active, created_by, created_at',
  )
  .action((file: string) => importWebhooksCommand(file));

await program.parseAsync();
