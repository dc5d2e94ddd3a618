import { NumberInput, Stack, Switch } from '@mantine/core';
import { en } from '../../text/en.ts';
import type { ThinkSettings } from './conversation.ts';

const text = en.think;
const maxBudget = 10_000;

interface SettingsFormProps {
  readonly settings: ThinkSettings;
  readonly onChange: (settings: ThinkSettings) => void;
}

export function SettingsForm({ settings, onChange }: SettingsFormProps) {
  return (
    <details>
      <summary>{text.options}</summary>
      <Stack gap="sm" pt="sm">
        <Switch
          label={text.store}
          checked={settings.store}
          onChange={({ currentTarget: { checked } }) => onChange({ ...settings, store: checked })}
        />
        <Switch
          label={text.withConversation}
          description={text.withConversationHint}
          checked={settings.withConversation}
          onChange={({ currentTarget: { checked } }) => onChange({ ...settings, withConversation: checked })}
        />
        <NumberInput
          label={text.budget}
          description={text.budgetHint}
          value={settings.thinkingBudget}
          onChange={(value) => typeof value === 'number' && onChange({ ...settings, thinkingBudget: value })}
          min={1}
          max={maxBudget}
          allowDecimal={false}
          clampBehavior="strict"
          maw={260}
        />
      </Stack>
    </details>
  );
}
