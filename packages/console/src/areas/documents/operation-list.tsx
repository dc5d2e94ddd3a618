import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { ListedOperation } from '@mneme/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';
import { ProblemAlert } from '../../components/problem.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import { operationsQuery } from './queries.ts';

const text = en.documents.operations;
/** The most operations that are drawn. */
const maxShown = 100;

/** The batches that are being processed, and those that failed: followed while one looks. */
export function OperationList({ agentId }: { readonly agentId: string }) {
  const { data, error, refetch } = useQuery(operationsQuery(agentId));
  return (
    <Stack component="section" aria-label={text.title} gap="xs">
      <Title order={2} size="h4">
        {text.title}
      </Title>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {text.none}
        </Text>
      )}
      {data?.slice(0, maxShown).map((operation) => (
        <OperationCard key={operation.id} agentId={agentId} operation={operation} />
      ))}
      {data && data.length > maxShown && <Text size="sm">{text.more(data.length - maxShown)}</Text>}
    </Stack>
  );
}

interface OperationCardProps {
  readonly agentId: string;
  readonly operation: ListedOperation;
}

function OperationCard({ agentId, operation }: OperationCardProps) {
  const { status, document_id, items_count, attempts, created_at, error_message } = operation;
  const isFailed = status === 'failed';
  const document = document_id ?? text.noDocument;
  return (
    <Card withBorder p="sm">
      <Stack gap={6}>
        <Group justify="space-between" align="flex-start">
          <Group gap="xs">
            <Badge variant="default">{isFailed ? text.failed : text.pending}</Badge>
            <Text size="sm" fw={600} className="user-text">
              {document}
            </Text>
          </Group>
          <OperationActions agentId={agentId} operation={operation} document={document} />
        </Group>
        <Text size="sm" c="dimmed">
          {text.items(items_count)}, {text.attempts(attempts)}, <Time value={created_at} />
        </Text>
        {isFailed && (
          <Text size="sm" className="user-text">
            {error_message ?? text.noReason}
          </Text>
        )}
      </Stack>
    </Card>
  );
}

function OperationActions({ agentId, operation, document }: OperationCardProps & { readonly document: string }) {
  const { id, status } = operation;
  const queryClient = useQueryClient();
  const { operations } = mneme.agent(agentId);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['documents', 'operations', agentId] });
  const retry = useMutation({ mutationFn: () => operations.retry(id), onSettled: refresh });
  const cancel = useMutation({ mutationFn: () => operations.cancel(id), onSettled: refresh });
  const failed = retry.error ?? cancel.error;
  const cancelLabel = status === 'failed' ? text.dismiss : text.cancel;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {status === 'failed' && (
          <Button
            size="compact-sm"
            loading={retry.isPending}
            onClick={() => retry.mutate()}
            aria-label={text.of(text.retry, document)}
          >
            {text.retry}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
          aria-label={text.of(cancelLabel, document)}
        >
          {cancelLabel}
        </Button>
      </Group>
      {failed && <ProblemAlert error={failed} />}
    </Stack>
  );
}
