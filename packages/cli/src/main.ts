import { Command } from 'commander';
import { parseDays, parseUser, tokenCommand } from './identity/token-command.ts';
import { reembedCommand } from './reembed/reembed-command.ts';
import { start } from './start/start.ts';

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

await program.parseAsync();
