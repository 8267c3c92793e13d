import { useCallback, useEffect, useRef, useState } from 'react';

import { LogReader, type LogReading } from './logReader';

/** An agent that prints without pause is drawn this often. */
const DRAW_MS = 80;

/** The logs of executions, each read for as long as it is wanted. */
export interface Logs {
  readingOf: (execution: string) => LogReading | undefined;
  loadEarlier: (execution: string, isAll?: boolean) => void;
  /** Grows whenever a log does. */
  version: number;
}

/** Reads the logs of the executions that are open. */
export function useLogReaders(wanted: readonly string[]): Logs {
  const readers = useRef(new Map<string, LogReader>());
  const [version, setVersion] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const announce = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setVersion((before) => before + 1);
    }, DRAW_MS);
  }, []);
  const list = wanted.join(' ');
  useEffect(() => {
    const names = new Set(list === '' ? [] : list.split(' '));
    for (const name of names) {
      if (!readers.current.has(name)) {
        const reader = LogReader.ofExecution(name, announce);
        readers.current.set(name, reader);
        reader.start();
      }
    }
    for (const [name, reader] of readers.current) {
      if (!names.has(name)) {
        reader.stop();
        readers.current.delete(name);
      }
    }
  }, [list, announce]);
  useEffect(() => {
    const all = readers.current;
    return () => {
      for (const reader of all.values()) {
        reader.stop();
      }
      all.clear();
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, []);
  const readingOf = useCallback((execution: string) => readers.current.get(execution)?.reading, []);
  const loadEarlier = useCallback((execution: string, isAll = false) => {
    void readers.current.get(execution)?.loadEarlier(isAll);
  }, []);
  return { readingOf, loadEarlier, version };
}
