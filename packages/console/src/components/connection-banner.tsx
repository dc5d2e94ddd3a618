import { Alert } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { browserSession } from '../app/client.ts';
import { useConnectionLost } from '../app/connection.ts';
import { en } from '../text/en.ts';

const pollMs = 2_000;

/** Says that the server is out of reach, asks it again and again, and has everything read anew when it answers. */
export function ConnectionBanner() {
  const isLost = useConnectionLost();
  const queryClient = useQueryClient();
  useQuery({
    queryKey: ['connection'],
    queryFn: ({ signal }) => browserSession.get({ signal }),
    enabled: isLost,
    refetchInterval: pollMs,
    refetchIntervalInBackground: true,
    retry: false,
    gcTime: 0,
  });
  useEffect(() => {
    if (isLost) return () => void queryClient.invalidateQueries();
  }, [isLost, queryClient]);
  if (!isLost) return null;
  return (
    <Alert color="yellow" title={en.connection.lost} role="status" mb="md">
      {en.connection.explanation}
    </Alert>
  );
}
