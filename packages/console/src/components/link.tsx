import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type BareAnchorProps = AnchorProps & Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps>;

/** A link within the console, whose address and parameters are checked by their types. */
export const RouteLink = createLink((props: BareAnchorProps) => <Anchor {...props} />);
