/** A memory as its user calls it. */
export interface Contender {
  readonly name: string;
  /** Stores a text, which can be found when this is done. */
  add(owner: string, text: string): Promise<void>;
  /** Returns how many memories were found. */
  search(owner: string, query: string): Promise<number>;
  close(): Promise<void>;
}
