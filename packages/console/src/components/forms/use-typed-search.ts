import { useDebouncedCallback } from '@mantine/hooks';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';

const typingMs = 200;

/**
 * A search field and the address. The address follows what is typed, so that Back and a reload find it again; the field
 * follows an address that has changed in another way, such as by a link.
 * @param inAddress what the address says
 * @param search changes the address
 */
export function useTypedSearch(inAddress: string, search: (typed: string) => void) {
  const [value, setValue] = useState(inAddress);
  const sent = useRef(inAddress);
  const send = useDebouncedCallback((typed: string) => {
    sent.current = typed;
    search(typed);
  }, typingMs);
  useEffect(() => {
    if (inAddress === sent.current) return;
    sent.current = inAddress;
    send.cancel();
    setValue(inAddress);
  }, [inAddress, send]);
  return {
    value,
    onChange: ({ currentTarget: { value: typed } }: ChangeEvent<HTMLInputElement>) => {
      setValue(typed);
      send(typed);
    },
  };
}
