import {
  Fieldset,
  MultiSelect,
  NumberInput,
  type NumberInputProps,
  Select,
  SimpleGrid,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
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
    value: settings[name],
    onChange: (value: number | undefined) => set({ [name]: value }),
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
        <NumberField {...number('budget')} allowDecimal={false} />
        <NumberField {...number('tokens')} allowDecimal={false} />
        <NumberField {...number('limit')} allowDecimal={false} />
        <NumberField {...number('minScore')} step={0.05} />
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

interface NumberFieldProps extends Pick<NumberInputProps, 'label' | 'placeholder' | 'allowDecimal' | 'step'> {
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

/** Shows what is typed, also `0.` and `0.50`, which are text to the input. */
function NumberField({ value, onChange, ...others }: NumberFieldProps) {
  const [typed, setTyped] = useState<number | string>(value ?? '');
  return (
    <NumberInput
      {...others}
      value={typed}
      onChange={(given) => {
        setTyped(given);
        onChange(given === '' || Number.isNaN(Number(given)) ? undefined : Number(given));
      }}
      hideControls
    />
  );
}
