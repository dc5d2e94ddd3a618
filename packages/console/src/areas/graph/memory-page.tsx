import { Stack, Text, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { UnitPanel } from '../../components/unit/unit-panel.tsx';
import { en } from '../../text/en.ts';

const route = getRouteApi('/shell/memories/$unitId');

/** One memory, at an address of its own. */
export function MemoryPage() {
  const { unitId } = route.useParams();
  const navigate = route.useNavigate();
  const [forgotten, setForgotten] = useState<string>();
  return (
    <Stack maw={760}>
      <Title order={1}>{en.unit.page}</Title>
      {forgotten === unitId ? (
        <Text role="status">{en.unit.forget.done}</Text>
      ) : (
        <UnitPanel
          unitId={unitId}
          onSelect={(id) => void navigate({ to: '/memories/$unitId', params: { unitId: id } })}
          onForgotten={() => setForgotten(unitId)}
        />
      )}
    </Stack>
  );
}
