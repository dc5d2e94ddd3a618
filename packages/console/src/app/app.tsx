import { Alert, type CSSVariablesResolver, createTheme, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { nonce } from './nonce.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.ts';

const theme = createTheme({
  primaryColor: 'blue',
  // Light enough and dark enough to be read on their backgrounds.
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  respectReducedMotion: true,
  // Its colour alone is too light to be read.
  components: { Alert: Alert.extend({ classNames: { label: 'alert-title' } }) },
  headings: { sizes: { h1: { fontSize: '1.625rem' }, h2: { fontSize: '1.25rem' } } },
});

/** The default of dimmed text is too light to be read on white, and too dark on black. */
const readableVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': 'var(--mantine-color-gray-7)' },
  dark: { '--mantine-color-dimmed': 'var(--mantine-color-dark-1)' },
});

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
