import { webhookSecrets } from '@mneme/contracts';
import { type Logger, type Sealing, UnsealError } from '@mneme/service-kit';
import type { StoredWebhook } from '../webhook-rows/rows.ts';

export type OpenToken = (webhook: Pick<StoredWebhook, '_id' | 'sealedToken'>) => string;

/**
 * A token that was sealed with a lost `SECRETS_KEY` is empty, so that its webhook can still be seen, changed and deleted. The
 * first one is logged.
 */
export function createTokenOpener(sealing: Sealing, logger: Logger): OpenToken {
  let isLogged = false;
  return ({ _id: webhookId, sealedToken }) => {
    try {
      return sealing.open(sealedToken, webhookSecrets.token(webhookId));
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      if (!isLogged) {
        logger.error({ err: error, webhookId }, 'The token of a webhook cannot be decrypted; others are not logged');
      }
      isLogged = true;
      return '';
    }
  };
}
