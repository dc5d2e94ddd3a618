import { Anchor, Container, Stack, Text, Title } from '@mantine/core';
import { en } from '../text/en.ts';

export function NotFoundPage() {
  return (
    <Container py="xl" size="sm">
      <Stack>
        <Title order={1}>{en.notFound.title}</Title>
        <Text>{en.notFound.explanation}</Text>
        <Anchor href="/">{en.notFound.home}</Anchor>
      </Stack>
    </Container>
  );
}
