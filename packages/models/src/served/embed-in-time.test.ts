import { expect, test } from 'vitest';
import { connectModels } from '../testing/index.ts';
import { useModelServer } from '../testing/use-model-server.ts';
import { embedInTime } from './embed-in-time.ts';

const server = useModelServer();

test('a server that hangs is named when the time of a question is over, before its own timeout', async () => {
  const { embeddings } = await connectModels(server, { EMBEDDING_DIMENSIONS: '8' });
  server.replies.always('embed', { fault: 'stall' });
  await expect(embedInTime(embeddings, ['Where is Anna?'], undefined, 100)).rejects.toMatchObject({
    code: 'timeout',
    message: 'openai:stand-in-embedding@8: no answer within 0.1 s.',
  });
});
