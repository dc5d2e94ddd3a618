import { Tooltip } from '@mantine/core';
import { en } from '../text/en.ts';

const local = new Intl.DateTimeFormat(en.locale, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in the reader's zone; in UTC when one points at it or reaches it with the keyboard. */
export function Time({ value }: { readonly value: string | null | undefined }) {
  const date = new Date(value ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return <span>{en.none}</span>;
  const utc = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return (
    <Tooltip label={utc} events={{ hover: true, focus: true, touch: true }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is read in UTC when it has the focus */}
      <time tabIndex={0} dateTime={date.toISOString()}>
        {local.format(date)}
      </time>
    </Tooltip>
  );
}
