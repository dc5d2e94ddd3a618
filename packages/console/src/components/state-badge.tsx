import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

const colors = { good: 'green', neutral: 'gray', warning: 'yellow', bad: 'red' } as const;

type Tone = keyof typeof colors;

/** A state in a word, which also its colour tells. */
export function StateBadge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <Badge variant="dot" color={colors[tone]}>
      {children}
    </Badge>
  );
}
