import { BaseStore, type Operation, type OperationResults, type PutOperation } from '@langchain/langgraph';
import type { Agent } from '../agent.ts';
import { refuseUnknown } from '../http/request.ts';
import { inParallel } from '../in-parallel.ts';
import { deleteDocument } from '../records.ts';
import { documentIdOf, readItem, writeItem } from './item-document.ts';
import { listNamespaces } from './namespaces.ts';
import { search } from './search.ts';
import { wholeValue } from './searched-text.ts';

export interface MnemeStoreOptions {
  /**
   * The fields of values that queries search, unless `put` names others: paths such as `text`, `author.name`,
   * `chapters[*].title`. Default: `$`, the whole value.
   */
  readonly fields?: readonly string[] | undefined;
  /** 0 to 1: leaves out what has less to do with the query. Default: 0, all items of the namespace, the best first. */
  readonly minScore?: number | undefined;
}

type Reading = Exclude<Operation, PutOperation>;

/** The most operations of a batch that are carried out at a time. */
const width = 8;

/**
 * A store of LangGraph in the memory of an agent. Each item is a document: its value comes back as JSON has it, and what it
 * says is found by meaning, also by `agent.recall`.
 */
export class MnemeStore extends BaseStore {
  readonly #agent: Agent;
  readonly #fields: readonly string[];
  readonly #minScore: number;

  /** @throws MnemeError for an option that does not exist */
  constructor(agent: Agent, { fields = [wholeValue], minScore = 0, ...unknown }: MnemeStoreOptions = {}) {
    super();
    refuseUnknown('option', unknown);
    this.#agent = agent;
    this.#fields = fields;
    this.#minScore = minScore;
  }

  /**
   * Carries out operations in their order: what reads sees what is written before it. Of several writes to one key that
   * follow each other, the last one counts.
   *
   * @throws MnemeError when the server refuses one; the others may have been carried out
   */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results: unknown[] = [];
    for (const run of runsOf(operations)) {
      if (run.every(isPut)) {
        const last = new Map(run.map((put) => [documentIdOf(put), put]));
        await inParallel([...last.values()], width, (put) => this.#put(put));
        results.push(...run.map(() => undefined));
      } else {
        results.push(...(await inParallel(run, width, (operation) => this.#read(operation as Reading))));
      }
    }
    return results as OperationResults<Op>;
  }

  async #read(operation: Reading) {
    if ('namespacePrefix' in operation) return search(this.#agent, operation, this.#minScore);
    if ('key' in operation) return (await readItem(this.#agent, documentIdOf(operation))) ?? null;
    return listNamespaces(this.#agent, operation);
  }

  async #put(put: PutOperation): Promise<void> {
    const { value, index = this.#fields } = put;
    if (value === null) await deleteDocument(this.#agent, documentIdOf(put));
    else await writeItem(this.#agent, put, value, index === false ? [] : index);
  }
}

function isPut(operation: Operation): operation is PutOperation {
  return 'value' in operation;
}

/** Operations that follow each other and either all read or all write. */
function runsOf(operations: readonly Operation[]): Operation[][] {
  const runs: Operation[][] = [];
  for (const operation of operations) {
    const run = runs.at(-1);
    if (run?.[0] && isPut(run[0]) === isPut(operation)) run.push(operation);
    else runs.push([operation]);
  }
  return runs;
}
