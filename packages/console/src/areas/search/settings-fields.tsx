import { Fieldset, MultiSelect, NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { AgentSelect } from '../../components/selects/agent-select.tsx';
import { en } from '../../text/en.ts';
import { rerankers, type Settings } from './search-address.ts';

const text = en.search.fields;
const types = ['world', 'agent', 'opinion'] as const;

interface SettingsFieldsProps {
  readonly label: string;
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
  /** Whether another agent can be chosen. */
  readonly hasAgent?: boolean;
}

export function SettingsFields({ label, settings, onChange, hasAgent = false }: SettingsFieldsProps) {
  const set = (changed: { readonly [K in keyof Settings]: Settings[K] | undefined | '' }) => {
    const entries = Object.entries({ ...settings, ...changed }).filter(
      ([, value]) => value !== undefined && value !== '',
    );
    onChange(Object.fromEntries(entries) as Settings);
  };
  const number = (name: 'budget' | 'tokens' | 'limit' | 'minScore') => ({
    label: text[name],
    placeholder: text.defaults[name],
    value: settings[name] ?? '',
    onChange: (value: number | string) => set({ [name]: typeof value === 'number' ? value : undefined }),
    hideControls: true,
  });
  const day = (name: 'since' | 'until' | 'asked') => ({
    label: text[name],
    type: 'date',
    value: settings[name] ?? '',
    onChange: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
      set({ [name]: value }),
  });
  return (
    <Fieldset legend={label}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {hasAgent && <AgentSelect value={settings.agent} onChange={(agent) => set({ agent })} />}
        <Select
          label={text.reranker}
          data={rerankers.map((value) => ({ value, label: text.rerankers[value] }))}
          value={settings.reranker ?? 'heuristic'}
          onChange={(value) => set({ reranker: rerankers.find((each) => each === value) })}
          allowDeselect={false}
        />
        <MultiSelect
          label={text.types}
          placeholder={settings.types === undefined ? text.allTypes : ''}
          data={types.map((value) => ({ value, label: en.factTypes[value] }))}
          value={[...(settings.types ?? [])]}
          onChange={(chosen) =>
            set({ types: chosen.length === 0 ? undefined : types.filter((type) => chosen.includes(type)) })
          }
        />
        <NumberInput {...number('budget')} allowDecimal={false} />
        <NumberInput {...number('tokens')} allowDecimal={false} />
        <NumberInput {...number('limit')} allowDecimal={false} />
        <NumberInput {...number('minScore')} step={0.05} />
        <TextInput {...day('since')} />
        <TextInput {...day('until')} />
        <TextInput {...day('asked')} />
        <TextInput
          label={text.document}
          value={settings.document ?? ''}
          onChange={(event) => set({ document: event.currentTarget.value })}
        />
      </SimpleGrid>
    </Fieldset>
  );
}
