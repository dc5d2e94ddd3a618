import { Anchor, List, Stack, Text, Title } from '@mantine/core';
import type { Memory } from '@mneme/client';
import { en } from '../../text/en.ts';

const text = en.unit.links;

interface UnitLinksProps {
  readonly unit: Memory;
  readonly onSelect: (unitId: string) => void;
}

/** The memories to which this one is linked, the strongest first. */
export function UnitLinks({ unit: { links, has_more_links }, onSelect }: UnitLinksProps) {
  return (
    <Stack gap={4}>
      <Title order={3} fz="md">
        {text.title}
      </Title>
      {links.length === 0 && <Text size="sm">{text.none}</Text>}
      <List size="sm" spacing="xs" listStyleType="none" className="unit-links">
        {links.map(({ type, direction, weight, entity, unit }) => (
          <List.Item key={`${type} ${direction} ${unit.id}`}>
            <Anchor component="button" ta="left" size="sm" className="user-text" onClick={() => onSelect(unit.id)}>
              {unit.text}
            </Anchor>
            <Text size="xs" c="dimmed" className="user-text">
              {[en.linkKinds[type], text.directions[direction], text.weight(weight), entity].filter(Boolean).join(', ')}
            </Text>
          </List.Item>
        ))}
      </List>
      {has_more_links && <Text size="sm">{text.more}</Text>}
    </Stack>
  );
}
