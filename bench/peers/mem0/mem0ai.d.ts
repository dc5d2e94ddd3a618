/** What is used of `mem0ai`, so that types can be checked where it is not installed. */
declare module 'mem0ai/oss' {
  interface ModelConfig {
    readonly provider: string;
    readonly config: { readonly apiKey: string; readonly model: string; readonly baseURL: string };
  }

  interface MemoryConfig {
    readonly llm: ModelConfig;
    readonly embedder: ModelConfig;
    readonly vectorStore: {
      readonly provider: string;
      readonly config: { readonly collectionName: string; readonly url?: string; readonly client?: object };
    };
    readonly historyDbPath: string;
  }

  export class Memory {
    constructor(config: MemoryConfig);
    add(text: string, options: { readonly userId: string }): Promise<{ readonly results: readonly object[] }>;
    search(
      query: string,
      options: { readonly filters: { readonly user_id: string } },
    ): Promise<{ readonly results: readonly object[] }>;
  }
}
