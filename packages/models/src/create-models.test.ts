import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { modelsConfigSchema } from './config.ts';
import { createModels } from './create-models.ts';

function create(env: Record<string, string>) {
  return createModels(modelsConfigSchema.parse(env));
}

test('without any configuration every task has a model', async () => {
  const models = await create({});
  expect(models.describe()).toBe(
    'Models: extraction by mneme-rules-v4; embeddings by mneme-minilm-384-v1; thinking by mneme-extracts-v2; opinions, background by mneme-rules-v2.',
  );
  expect(Object.values(models.usage())).toEqual(Array(6).fill({ calls: 0, inputTokens: 0, outputTokens: 0 }));
});

test('the servers are described without secrets', async () => {
  const address = 'http://user:password@localhost:4321/v1';
  const models = await create({ LLM_MODEL_THINK: 'openai:big', LLM_BASE_URL: address });
  expect(models.describe()).toMatch(/; thinking by openai:big.* \(at localhost:4321\)\.$/);
});

test('each task can have a model of its own, beside built-in ones', async () => {
  const models = await create({
    LLM_MODEL_THINK: 'openai:big',
    LLM_API_KEY: 'secret-key',
    EMBEDDING_MODEL: 'builtin:words',
  });
  expect(models.describe()).toBe(
    'Models: extraction by mneme-rules-v4; embeddings by mneme-hash-512-v1; thinking by openai:big; opinions, background by mneme-rules-v2.',
  );
  expect([models.thinker.promptVersion, models.opinions.promptVersion]).toEqual(['think.v2', 'none']);
});

describe('a configuration that cannot work is refused at the start, with what to do', () => {
  test.each([
    [
      { LLM_MODEL: 'openai:small' },
      'openai:small needs a key: set LLM_API_KEY, or LLM_BASE_URL for a server that needs none.',
    ],
    [
      { EMBEDDING_MODEL: 'openai:small' },
      'openai:small needs a key: set EMBEDDING_API_KEY, or EMBEDDING_BASE_URL for a server that needs none.',
    ],
    [{ LLM_MODEL: 'nobody:small', LLM_API_KEY: 'secret-key' }, /^nobody:small cannot be used\. .*nobody/],
    [
      { LLM_MODEL: 'anthropic:small', LLM_API_KEY: 'secret-key' },
      /^anthropic:small cannot be used\. .*@langchain\/anthropic/,
    ],
    [
      { EMBEDDING_MODEL: 'builtin:large' },
      'EMBEDDING_MODEL builtin:large: the built-in models are builtin:minilm and builtin:words.',
    ],
    [
      { EMBEDDING_MODEL: 'ollama:small', EMBEDDING_BASE_URL: 'http://127.0.0.1:9/v1', LLM_MAX_RETRIES: '0' },
      /^ollama:small/,
    ],
    [
      { EMBEDDING_MODEL: 'cohere:small', EMBEDDING_API_KEY: 'secret-key' },
      /^EMBEDDING_MODEL cohere:small: only builtin:minilm, builtin:words, ollama:/,
    ],
  ])('%j', async (env, message) => {
    const error = await create(env as Record<string, string>).then(
      () => expect.unreachable(),
      (reason: Error) => reason,
    );
    expect(error).toMatchObject({ name: 'ModelError' });
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('secret-key');
  });

  test.each([
    [{ LLM_MODEL: 'gpt-4o-mini' }, 'must be <provider>:<model>, for example openai:gpt-4o-mini'],
    [
      { EMBEDDING_MODEL: 'foo' },
      'must be <provider>:<model>, for example builtin:minilm, builtin:words or openai:text-embedding-3-small',
    ],
    [{ LLM_BASE_URL: 'localhost:1234' }, 'must be an address that starts with http:// or https://'],
    [{ LLM_TIMEOUT_MS: '1e3' }, 'must be a whole number from 10 to 300000'],
    [{ LLM_CONCURRENCY: '0' }, 'must be a whole number from 1 to 1000'],
    [{ EMBEDDING_CALIBRATION: '0.2,0.5' }, 'must be three numbers from 0 to 1, such as 0.25,0.5,0.7'],
    [{ EMBEDDING_DIMENSIONS: '70000' }, 'must be a whole number from 1 to 65536'],
  ])('%j', (env, message) => {
    expect(modelsConfigSchema.safeParse(env).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});

test('LangChain is loaded only when a model server is configured', () => {
  expect(loadedBy({})).toEqual([]);
  expect(loadedBy({ LLM_MODEL: 'openai:small', LLM_API_KEY: 'x' })).toEqual(['@langchain', 'langchain', 'openai']);
});

/** Which packages of the kind a process loads that creates models. */
function loadedBy(env: Record<string, string>): unknown {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ resolve: (specifier, context, next) => {
      const name = specifier.split('/')[0];
      if (['@langchain', 'langchain', 'openai', 'langsmith'].includes(name)) loaded.add(name);
      return next(specifier, context);
    } });
    const { createModels, modelsConfigSchema } = await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)});
    await createModels(modelsConfigSchema.parse(${JSON.stringify(env)}));
    loaded.delete('langsmith');
    console.log(JSON.stringify([...loaded].sort()));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    }),
  );
}
