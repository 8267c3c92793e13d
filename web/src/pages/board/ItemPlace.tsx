import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react';

import { placeData } from './dragData';

interface ItemPlaceProps {
  /** The state a card gets that is dropped on this row. */
  state: string;
  index: number;
  measure: (element: HTMLElement | null) => void;
  className: string | undefined;
  style: CSSProperties;
  children: ReactNode;
}

/** The place of one row in a column. Dropping a card on it means the row's state. */
export function ItemPlace({ state, index, measure, className, style, children }: ItemPlaceProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      element.current === null
        ? undefined
        : dropTargetForElements({ element: element.current, getData: () => placeData([state]) }),
    [state],
  );
  return (
    <div
      ref={(node) => {
        element.current = node;
        measure(node);
      }}
      data-index={index}
      data-workflow-state={state}
      className={className}
      style={style}
    >
      {children}
    </div>
  );
}
