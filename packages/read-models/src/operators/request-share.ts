import {
  type Check,
  isAnsweredByOther,
  lookForService,
  type Service,
  type ServiceProcess,
  startService,
  watchLink,
} from '@mneme/service-kit';
import type { OperatedReadModel } from './serve-read-models.ts';
import { type ServedRequests, serveWhenAble } from './serve-when-able.ts';
import { type StoreReach, watchStores } from './store-reach.ts';

export interface RequestShareOptions extends ServiceProcess {
  /** Of the service, such as `keys`. */
  readonly name: string;
  readonly mapError?: Parameters<typeof startService>[0]['mapError'];
}

/** What an instance needs to answer requests. */
export interface AnswersFrom {
  /** Checks of its stores, by name. */
  readonly stores: Readonly<Record<string, Check>>;
  readonly readModels: readonly Pick<OperatedReadModel, 'isAnswering'>[];
  /** Called again and again while the instance is aside: gives up what waits for a store. */
  readonly giveUp?: (() => void) | undefined;
  /** For the line in the log that says that the service is ready. */
  readonly about: object;
}

/**
 * The share of the requests to a service that one of its instances takes: none while its read models are built, or a store is
 * out of its reach, and another instance answers. See docs/decisions/0058-stand-aside-without-a-store.md.
 */
export class RequestShare {
  /** Its endpoints get requests also while the read models are built. */
  readonly operators: Service;
  readonly #options: RequestShareOptions;
  readonly #held: (() => void)[] = [];
  #reach: StoreReach | undefined;
  #requests: ServedRequests | undefined;
  #link: { stop(): void } | undefined;
  #hasServed = false;

  constructor(options: RequestShareOptions) {
    const { connection, name, logger, metrics, mapError } = options;
    // As soon as a store does not answer: one that is slow or away is so for others as well, most of the time, and those that
    // notice it first should not leave all requests to the one that notices it last.
    const isAble = () => !this.#isCutOff() && this.#reach?.isAnswering() !== false;
    this.#options = options;
    this.operators = startService({ connection, name, logger, metrics, isAble, ...(mapError && { mapError }) });
  }

  /** Lets an endpoint get requests as soon as this instance takes them. */
  readonly serve: Service['serve'] = (endpoint, handler) =>
    void this.#held.push(() => this.operators.serve(endpoint, handler));

  /** Whether this instance takes requests. */
  isServing(): boolean {
    return this.#requests?.isServing() ?? false;
  }

  /**
   * Whether a store is out of reach, and requests and lanes are left to other instances. Not before it has taken requests: no
   * other one may have the version that it builds, and a store that is slow because of that does not get done by stopping.
   */
  isAside(): boolean {
    return this.#isCutOff() && this.#hasServed && this.#requests?.isServing() === false;
  }

  /** True, or why requests are left to other instances. */
  readiness(): true | string {
    const until = this.#isCutOff() ? 'its stores answer this one again' : 'the read models of this one are built';
    return this.isServing() || `Other instances answer requests until ${until}`;
  }

  /** Takes requests as soon as that makes sense, and as long as it does. */
  async start({ stores, readModels, giveUp, about }: AnswersFrom): Promise<void> {
    const { connection, name, logger } = this.#options;
    this.#reach = watchStores(stores, { onLost: () => this.isAside() && giveUp?.() });
    const link = watchLink(connection);
    this.#link = link;
    this.#requests = await serveWhenAble({
      isAble: () => !this.#isCutOff() && readModels.every(({ isAnswering }) => isAnswering !== false),
      isCutOff: () => this.#isCutOff(),
      isComingBack: () => this.#reach?.isAnswering() ?? false,
      // An instance that leaves requests to others is not announced, and answers no ping.
      // Without a server no instance can be asked, and no request comes.
      lookElsewhere: async (timeoutMs) => {
        const found = await lookForService(connection, name, timeoutMs);
        return link.isUp() ? found : 'answers';
      },
      isAnsweredElsewhere: (timeoutMs) => isAnsweredByOther(connection, { name, id: this.operators.id }, timeoutMs),
      serve: () => this.#takeRequests(about),
      leave: () => this.#leaveRequests(),
      onHeld: () => logger.info(`Other instances of ${name} answer requests until its read models are built`),
      onFailed: (error) => logger.error({ err: error }, `${name} cannot take requests, or leave them to others`),
    });
  }

  /** Takes no more requests; see `Service.stop`. What waits for a store is given up until `close` while the instance is aside. */
  async stop(): Promise<void> {
    await this.#requests?.stop();
    this.#link?.stop();
    await this.operators.stop();
  }

  /** Looks after the stores no more. To be called when nothing waits for them. */
  async close(): Promise<void> {
    await this.#reach?.stop();
  }

  #isCutOff(): boolean {
    return this.#reach?.isLost() ?? false;
  }

  #takeRequests(about: object): void {
    const { name, logger } = this.#options;
    if (this.#hasServed) {
      this.operators.rejoin();
      logger.info(`${name} takes requests again`);
      return;
    }
    this.#hasServed = true;
    for (const serve of this.#held.splice(0)) serve();
    this.operators.announce();
    logger.info(about, `${name} is ready`);
  }

  #leaveRequests(): Promise<void> {
    const { name, logger } = this.#options;
    logger.warn(`${name} cannot reach a store and leaves requests to its other instances`);
    return this.operators.leave();
  }
}
