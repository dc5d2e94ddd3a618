import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A name and what belongs to it. */
export type Fact = readonly [string, ReactNode];

/** What is known of something, side by side. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <Text size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="div" className="user-text">
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
