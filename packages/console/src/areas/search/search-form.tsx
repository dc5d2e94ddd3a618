import { Button, Collapse, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { en } from '../../text/en.ts';
import { type SearchAddress, type Settings, searchAddressOf } from './search-address.ts';
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
  const hasSettings = b !== undefined || Object.keys(a).length > 0;
  const [isOpen, { toggle, open }] = useDisclosure(hasSettings);
  const address = JSON.stringify([question, a, b]);
  const [shown, setShown] = useState({ address, times: 0 });
  if (address !== shown.address) {
    // What was asked here is shown already, and what has the focus keeps it; after a step back it is something else.
    const { q, a: askedA, b: askedB } = searchAddressOf({ q: typed, a: first, b: second });
    const isOther = address !== JSON.stringify([q, askedA, askedB]);
    setShown({ address, times: shown.times + Number(isOther) });
    if (isOther) {
      setTyped(question);
      setFirst(a);
      setSecond(b);
      if (hasSettings) open();
    }
  }
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
          <SimpleGrid key={shown.times} cols={{ base: 1, md: second === undefined ? 1 : 2 }}>
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
