import { Box, Drawer, Paper } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useRef, useState } from 'react';
import { useIsOver } from '../../app/session/identity.ts';
import { en } from '../../text/en.ts';
import { KeepOpenProvider, useKept } from '../forms/dialog.tsx';
import { UnitPanel, type UnitPanelProps } from './unit-panel.tsx';

interface BesideUnitProps extends Pick<UnitPanelProps, 'onEntity'> {
  /** The memory that is shown; none unless given. */
  readonly unitId: string | undefined;
  /** Takes another memory to show, or none. */
  readonly onSelect: (unitId: string | undefined) => void;
  /** From where memories are selected. */
  readonly children: ReactNode;
}

/** A memory beside that from which it was selected; over it where there is no room for both. */
export function BesideUnit({ unitId, onSelect, onEntity, children }: BesideUnitProps) {
  const [isKept, keepOpen] = useKept();
  const isWide = useIsWide(isKept);
  const isOver = useIsOver();
  const opener = useRef<HTMLElement>(null);
  const close = () => {
    onSelect(undefined);
    opener.current?.focus();
  };
  const panel = unitId !== undefined && (
    <KeepOpenProvider value={keepOpen}>
      <UnitPanel unitId={unitId} onSelect={onSelect} onEntity={onEntity} onClose={close} onForgotten={close} />
    </KeepOpenProvider>
  );
  return (
    <div className="beside-unit" data-open={unitId !== undefined}>
      <Box onFocus={({ target }) => keep(opener, target)}>{children}</Box>
      {panel && isWide && (
        <Paper withBorder p="md" className="unit-beside">
          {panel}
        </Paper>
      )}
      {panel && !isWide && (
        <Drawer.Root opened onClose={() => !isKept && close()} closeOnEscape={!isOver} position="bottom" size="85%">
          <Drawer.Overlay />
          <Drawer.Content aria-label={en.unit.title}>
            <Drawer.Body pt="md">{panel}</Drawer.Body>
          </Drawer.Content>
        </Drawer.Root>
      )}
    </div>
  );
}

/** Whether there is room for both. @param isKept whether it stays as it is, with what is typed in a dialog above it */
function useIsWide(isKept: boolean): boolean {
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false });
  const [shown, setShown] = useState(isWide);
  if (shown !== isWide && !isKept) setShown(isWide);
  return shown;
}

/** What had the focus last, to give it back. */
function keep(opener: { current: HTMLElement | null }, target: EventTarget): void {
  if (target instanceof HTMLElement) opener.current = target;
}
