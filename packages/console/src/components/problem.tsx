import { Alert, Button, Container, Group, Stack, Text } from '@mantine/core';
import { MnemeError } from '@mneme/client';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { untilServerAnswers } from '../app/load-code.ts';
import { en } from '../text/en.ts';

interface ProblemProps {
  readonly error: unknown;
  /** Tries again; without it there is no button. */
  readonly onRetry?: () => void;
}

/** What went wrong and what to do, in the words of the server. */
export function ProblemAlert({ error, onRetry }: ProblemProps) {
  const { title, detail, requestId } = describe(error);
  return (
    <Alert color="red" title={title} role="alert">
      <Stack gap="xs">
        <Text size="sm" className="user-text">
          {detail}
        </Text>
        {requestId !== undefined && (
          <Text size="xs" c="dimmed">
            {en.problem.requestId(requestId)}
          </Text>
        )}
        {onRetry && (
          <Group>
            <Button size="xs" variant="default" onClick={onRetry}>
              {en.problem.retry}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** In the place of a page that could not be shown: because of a request, else its code failed or could not be loaded. */
export function ProblemPage({ error }: { readonly error: unknown }) {
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  const retry = () => {
    if (!(error instanceof MnemeError)) return void untilServerAnswers().then(() => location.reload());
    reset();
    void router.invalidate();
  };
  return (
    <Container size="sm" py="xl">
      <ProblemAlert error={error} onRetry={retry} />
    </Container>
  );
}

function describe(error: unknown) {
  if (!(error instanceof MnemeError)) {
    return { title: en.problem.unexpected, detail: String(error), requestId: undefined };
  }
  const { code, status, detail, requestId } = error;
  const title = en.problem.titles[code] ?? en.problem.failed(status);
  return { title, detail: en.problem.advice[code] ?? detail, requestId };
}
