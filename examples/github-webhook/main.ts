import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Mneme } from '@mneme/client';

const baseUrl = process.env.MNEME_URL || 'http://127.0.0.1:8080';
const mneme = new Mneme({ baseUrl, apiKey: process.env.MNEME_API_KEY || undefined });
const name = 'GitHub';
const secret = process.env.GITHUB_WEBHOOK_SECRET || randomBytes(24).toString('hex');

/** The webhook of an earlier run, with this secret, or a new one with a table. */
async function prepareWebhook() {
  const { spaces } = await mneme.me();
  const projectId = spaces.flatMap(({ projects }) => projects)[0]?.id;
  if (projectId === undefined) throw new Error('The user has no project');
  const verification = { type: 'github', secret } as const;
  const existing = (await mneme.webhooks.list(projectId)).find((webhook) => webhook.name === name && webhook.table_id);
  if (existing) return mneme.webhooks.update(existing.id, { verification });
  const table = { createNewTable: true, newTableName: 'github_events' };
  return mneme.webhooks.create(projectId, { name, ...table, verification, deduplicate: true });
}

/** Sends what GitHub sends when somebody stars a repository. */
async function deliverSample(url: string): Promise<void> {
  const body = JSON.stringify({
    action: 'created',
    starred_at: new Date().toISOString(),
    repository: { full_name: 'octocat/hello-world', stargazers_count: 81, private: false },
    sender: { login: 'octocat' },
  });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'star',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body,
  });
  if (!response.ok) throw new Error(`The delivery was answered with ${response.status}: ${await response.text()}`);
}

try {
  const webhook = await prepareWebhook();
  const url = `${baseUrl.replace(/\/+$/, '')}/api/webhooks/incoming/${webhook.token}`;
  console.log(`Payload URL: ${url}\nSecret:      ${secret}\n`);
  await deliverSample(url);
  const rows = await mneme.tables.rows(webhook.table_id ?? 0).all();
  console.table(
    rows.map(({ values }) => ({
      action: values.action,
      repository: values.repository_full_name,
      by: values.sender_login,
    })),
  );
} catch (error) {
  const hint = 'Does Mneme run (npm start), and is MNEME_API_KEY the token of a user? See README.md.';
  console.error(`${error instanceof Error ? error.message : error}\n${hint}`);
  process.exitCode = 1;
}
