import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A name, and what is shown beside it; without that the field is left out. */
export type Field = readonly [name: string, shown: ReactNode | undefined];

export function Fields({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <dl className="fields">
      {fields
        .filter(([, shown]) => shown !== undefined)
        .map(([name, shown]) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed">
              {name}
            </Text>
            <Text component="dd" size="sm" className="user-text">
              {shown}
            </Text>
          </div>
        ))}
    </dl>
  );
}
