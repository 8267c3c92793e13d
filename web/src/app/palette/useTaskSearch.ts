import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { SquareKanban } from 'lucide-react';
import { useEffect, useState } from 'react';

import { projectsQuery, taskSearchQuery } from '../../api/queries';
import type { PaletteEntry } from './usePageCommands';

const MOST_RESULTS = 8;
const TYPING_MS = 150;

/** The tasks that match what is typed: those of the open project, else of all. */
export function useTaskSearch(typed: string): readonly PaletteEntry[] {
  const navigate = useNavigate();
  const text = useSettled(typed.trim());
  const { project: open } = useParams({ strict: false });
  const projects = useQuery(projectsQuery()).data ?? [];
  const searched = open === undefined ? projects : projects.filter(({ slug }) => slug === open);
  const answers = useQueries({ queries: text === '' ? [] : searched.map(({ id }) => taskSearchQuery(id, text)) });
  return answers
    .flatMap(({ data }) => data ?? [])
    .slice(0, MOST_RESULTS)
    .map(({ id, key, title, project_id }) => ({
      id,
      key,
      label: title,
      icon: SquareKanban,
      run: () => {
        const project = projects.find((candidate) => candidate.id === project_id)?.slug;
        if (project !== undefined) {
          void navigate({ to: '/projects/$project/$taskKey', params: { project, taskKey: key } });
        }
      },
    }));
}

/** The text once no key was pressed for a moment, so that each letter is not a request. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
