import { Group, Stack, Text, Title } from '@mantine/core';
import type { ApiKey } from '@mneme/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { mneme } from '../../app/client.ts';
import { type Fact, Facts } from '../../components/facts.tsx';
import { ConfirmButton } from '../../components/forms/confirm-button.tsx';
import { RouteLink } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { InProject } from '../../components/selects/project-select.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import { KeySettings } from './key-settings.tsx';
import { KeyStateBadge } from './key-state-badge.tsx';
import { KeyUsage } from './key-usage.tsx';
import { keysQuery } from './queries.ts';
import { RotateKey } from './rotate-key.tsx';

const route = getRouteApi('/shell/keys/$keyId');
const text = en.keys;

/** One API key: its settings and its use. */
export function KeyPage() {
  const { keyId } = route.useParams();
  const { project: projectId } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack>
      <RouteLink to="/keys" search={projectId === undefined ? {} : { project: projectId }}>
        {text.back}
      </RouteLink>
      <InProject projectId={projectId} onChange={(project) => void navigate({ search: { project } })}>
        {(project) => <FoundKey projectId={project} keyId={Number(keyId)} />}
      </InProject>
    </Stack>
  );
}

interface FoundKeyProps {
  readonly projectId: number;
  readonly keyId: number;
}

function FoundKey({ projectId, keyId }: FoundKeyProps) {
  const query = useQuery(keysQuery(projectId));
  return (
    <Loaded query={query}>
      {(keys) => <KeyView projectId={projectId} apiKey={keys.find(({ id }) => id === keyId)} />}
    </Loaded>
  );
}

interface KeyViewProps {
  readonly projectId: number;
  readonly apiKey: ApiKey | undefined;
}

function KeyView({ projectId, apiKey }: KeyViewProps) {
  if (!apiKey) return <Text>{text.missing}</Text>;
  return (
    <>
      <Group justify="space-between">
        <Title order={1} className="user-text">
          {apiKey.name}
        </Title>
        <Group gap="xs">
          <RotateKey projectId={projectId} apiKey={apiKey} />
          <RevokeKey projectId={projectId} apiKey={apiKey} />
        </Group>
      </Group>
      <KeyFacts apiKey={apiKey} />
      <KeyUsage projectId={projectId} keyId={apiKey.id} />
      <KeySettings key={apiKey.id} projectId={projectId} apiKey={apiKey} />
    </>
  );
}

function KeyFacts({ apiKey }: { readonly apiKey: ApiKey }) {
  const { columns } = text;
  const facts: readonly Fact[] = [
    [columns.state, <KeyStateBadge key="state" apiKey={apiKey} />],
    [columns.prefix, apiKey.key_prefix],
    [columns.agent, apiKey.agent_id ?? text.anyAgent],
    [columns.requests, apiKey.request_count.toLocaleString(en.locale)],
    [columns.lastUsed, <Time key="used" value={apiKey.last_used_at} />],
    [columns.expires, apiKey.expires_at === null ? text.never : <Time key="expires" value={apiKey.expires_at} />],
    [text.createdAt, <Time key="created" value={apiKey.created_at} />],
    [text.owner, text.user(apiKey.user_id)],
  ];
  return <Facts facts={facts} />;
}

function RevokeKey({ projectId, apiKey }: { readonly projectId: number; readonly apiKey: ApiKey }) {
  const queryClient = useQueryClient();
  const navigate = route.useNavigate();
  const revoke = async () => {
    await mneme.keys.revoke(apiKey.id, { projectId });
    await navigate({ to: '/keys', search: { project: projectId } });
    await queryClient.invalidateQueries({ queryKey: ['keys'] });
  };
  return (
    <ConfirmButton
      label={text.revoke}
      question={text.revokeQuestion}
      explanation={text.revokeExplanation(apiKey.name)}
      act={revoke}
      isDangerous
    />
  );
}
