import type { Failure } from '@mneme/service-kit';

const replaying: Failure = { code: 'UPDATE_ERROR', message: 'Failed to replay webhook logs' };

/** The replies to unexpected errors, by route. */
export const failures = {
  listWebhooks: fetching('webhooks'),
  getWebhook: fetching('the webhook'),
  testWebhook: { code: 'WEBHOOK_ERROR', message: 'Failed to send the test delivery' },
  createWebhook: { code: 'CREATE_ERROR', message: 'Failed to create webhook' },
  updateWebhook: { code: 'UPDATE_ERROR', message: 'Failed to update webhook' },
  deleteWebhook: { code: 'DELETE_ERROR', message: 'Failed to delete webhook' },
  listCalls: fetching('webhook logs'),
  replayCall: replaying,
  replayCalls: replaying,
  replayProgress: fetching('the replay'),
  listTables: fetching('tables'),
  createTable: { code: 'CREATE_ERROR', message: 'Failed to create table' },
  getTable: fetching('the table'),
  listRows: fetching('rows'),
} as const satisfies Record<string, Failure>;

function fetching(what: string): Failure {
  return { code: 'FETCH_ERROR', message: `Failed to fetch ${what}` };
}
