import { Center, Loader } from '@mantine/core';
import { en } from '../text/en.ts';

export function Loading() {
  return (
    <Center p="xl" role="status" aria-label={en.loading}>
      <Loader />
    </Center>
  );
}
