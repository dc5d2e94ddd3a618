import { Group, Stack, Text, Title } from '@mantine/core';
import type { ListedWebhook } from '@mneme/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { mneme } from '../../app/client.ts';
import { CopiedText } from '../../components/copied-text.tsx';
import { ConfirmButton } from '../../components/forms/confirm-button.tsx';
import { RouteLink } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { InProject } from '../../components/selects/project-select.tsx';
import { en } from '../../text/en.ts';
import { Deliveries } from './deliveries/deliveries.tsx';
import { ReplayMany } from './deliveries/replay-many.tsx';
import { TestDelivery } from './deliveries/test-delivery.tsx';
import { webhooksQuery } from './queries.ts';
import { WebhookSettings } from './webhook-settings.tsx';

const route = getRouteApi('/shell/webhooks/$webhookId');
const text = en.webhooks;
const samplePayload = { order: { id: 1, total: 9.5 } };

/** One webhook: where to send to, and what was delivered. */
export function WebhookPage() {
  const { webhookId } = route.useParams();
  const { project: projectId } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack>
      <RouteLink to="/webhooks" search={projectId === undefined ? {} : { project: projectId }}>
        {text.back}
      </RouteLink>
      <InProject projectId={projectId} onChange={(project) => void navigate({ search: { project } })}>
        {(project) => <FoundWebhook projectId={project} webhookId={Number(webhookId)} />}
      </InProject>
    </Stack>
  );
}

interface FoundWebhookProps {
  readonly projectId: number;
  readonly webhookId: number;
}

function FoundWebhook({ projectId, webhookId }: FoundWebhookProps) {
  const query = useQuery(webhooksQuery(projectId));
  return (
    <Loaded query={query}>
      {(webhooks) => <WebhookView projectId={projectId} webhook={webhooks.find(({ id }) => id === webhookId)} />}
    </Loaded>
  );
}

interface WebhookViewProps {
  readonly projectId: number;
  readonly webhook: ListedWebhook | undefined;
}

function WebhookView({ projectId, webhook }: WebhookViewProps) {
  if (!webhook) return <Text>{text.missing}</Text>;
  const { id: webhookId, name, table_id, table_display_name, url } = webhook;
  const body = JSON.stringify(samplePayload);
  return (
    <>
      <Group justify="space-between">
        <Title order={1} className="user-text">
          {name}
        </Title>
        <DeleteWebhook projectId={projectId} webhook={webhook} />
      </Group>
      {table_id !== null && (
        <RouteLink
          to="/webhooks/tables/$tableId"
          params={{ tableId: String(table_id) }}
          search={{ project: projectId }}
          className="user-text"
        >
          {`${text.table}: ${table_display_name ?? table_id}`}
        </RouteLink>
      )}
      <CopiedText label={text.url} value={url} />
      <CopiedText label={text.curl} value={`curl ${url} -H 'content-type: application/json' -d '${body}'`} />
      <TestDelivery webhook={webhook} sample={JSON.stringify(samplePayload, null, 2)} />
      <Deliveries webhookId={webhookId} />
      <ReplayMany webhookId={webhookId} />
      <WebhookSettings key={webhookId} webhook={webhook} />
    </>
  );
}

interface DeleteWebhookProps {
  readonly projectId: number;
  readonly webhook: ListedWebhook;
}

function DeleteWebhook({ projectId, webhook }: DeleteWebhookProps) {
  const queryClient = useQueryClient();
  const navigate = route.useNavigate();
  const remove = async () => {
    await mneme.webhooks.delete(webhook.id);
    await navigate({ to: '/webhooks', search: { project: projectId } });
    await queryClient.invalidateQueries({ queryKey: ['webhooks', 'list'] });
  };
  return (
    <ConfirmButton
      label={text.delete}
      question={text.deleteQuestion}
      explanation={text.deleteExplanation(webhook.name)}
      act={remove}
      isDangerous
    />
  );
}
