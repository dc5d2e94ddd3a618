import { PasswordInput, Select } from '@mantine/core';
import type { Webhook } from '@mneme/client';
import { en } from '../../text/en.ts';

type VerificationType = Webhook['verification']['type'];

/** How deliveries are signed, as it is typed. */
export interface TypedVerification {
  readonly type: VerificationType;
  readonly secret: string;
}

interface VerificationFieldsProps {
  readonly value: TypedVerification;
  readonly onChange: (value: TypedVerification) => void;
}

const text = en.webhooks;
const types = Object.keys(text.verifications) as VerificationType[];
export const noVerification: TypedVerification = { type: 'none', secret: '' };

export function VerificationFields({ value, onChange }: VerificationFieldsProps) {
  return (
    <>
      <Select
        label={text.verification}
        description={text.verificationHint}
        data={types.map((type) => ({ value: type, label: text.verifications[type] }))}
        value={value.type}
        onChange={(type) => type !== null && onChange({ ...value, type })}
        allowDeselect={false}
      />
      {value.type !== 'none' && (
        <PasswordInput
          label={text.secret}
          description={text.secretHint}
          value={value.secret}
          onChange={(event) => onChange({ ...value, secret: event.currentTarget.value })}
          autoComplete="off"
          required
        />
      )}
    </>
  );
}

export function verificationOf({ type, secret }: TypedVerification) {
  return type === 'none' ? { type } : { type, secret };
}
