import { Button, Collapse, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { en } from '../../text/en.ts';
import type { SearchAddress, Settings } from './search-address.ts';
import { SettingsFields } from './settings-fields.tsx';

const text = en.search;

interface SearchFormProps {
  readonly question: string;
  readonly a: Settings;
  readonly b: Settings | undefined;
  readonly onSearch: (asked: Pick<SearchAddress, 'q' | 'a' | 'b'>) => void;
}

/** Nothing is sent before the form is. */
export function SearchForm({ question, a, b, onSearch }: SearchFormProps) {
  const [typed, setTyped] = useState(question);
  const [first, setFirst] = useState(a);
  const [second, setSecond] = useState(b);
  const [isOpen, { toggle, open }] = useDisclosure(b !== undefined || Object.keys(a).length > 0);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSearch({
          q: typed,
          ...(Object.keys(first).length > 0 && { a: first }),
          ...(second !== undefined && { b: second }),
        });
      }}
    >
      <Stack gap="sm">
        <Group align="flex-end">
          <TextInput
            label={text.question}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            required
            flex="1 1 16rem"
          />
          <Button type="submit" disabled={typed.trim() === ''}>
            {text.submit}
          </Button>
        </Group>
        <Group gap="xs">
          <Button variant="default" size="compact-sm" onClick={toggle} aria-expanded={isOpen}>
            {isOpen ? text.hideSettings : text.showSettings}
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => {
              setSecond(second === undefined ? first : undefined);
              open();
            }}
          >
            {second === undefined ? text.compare : text.endCompare}
          </Button>
        </Group>
        <Collapse expanded={isOpen}>
          <SimpleGrid cols={{ base: 1, md: second === undefined ? 1 : 2 }}>
            <SettingsFields
              label={second === undefined ? text.settings : text.settingsOf('A')}
              settings={first}
              onChange={setFirst}
            />
            {second !== undefined && (
              <SettingsFields label={text.settingsOf('B')} settings={second} onChange={setSecond} hasAgent />
            )}
          </SimpleGrid>
        </Collapse>
      </Stack>
    </form>
  );
}
