import { useQuery } from '@tanstack/react-query';

import { projectsQuery } from '../../api/queries';
import type { Project } from '../../api/types';
import { Link } from '../../app/router';
import { to } from '../../app/routes';
import { useTitle } from '../../app/title';
import { Answered } from '../../ui/Answered';
import { Badge } from '../../ui/Badge';
import { AddRepository } from './AddRepository';
import { RunDemo } from './RunDemo';
import './welcome.css';

/** The projects; on the first run, how to get one. */
export function HomePage() {
  const projects = useQuery(projectsQuery());
  useTitle(undefined);
  return (
    <div className="page home">
      <Answered what="the projects" query={projects}>
        {(list) => (
          <>
            {list.length === 0 ? <Greeting /> : <Projects list={list} />}
            <div className="starts">
              <section aria-labelledby="demo">
                <h2 id="demo">See it work</h2>
                <RunDemo primary={list.length === 0} />
              </section>
              <section aria-labelledby="repository">
                <h2 id="repository">Use it on your code</h2>
                <AddRepository />
              </section>
            </div>
          </>
        )}
      </Answered>
    </div>
  );
}

function Greeting() {
  return (
    <>
      <h1>Welcome to Forge</h1>
      <p className="lead">Many coding agents on your repositories at once, and their work landed safely.</p>
    </>
  );
}

function Projects({ list }: { list: readonly Project[] }) {
  return (
    <>
      <h1>Projects</h1>
      <ul className="projects">
        {list.map((project) => (
          <li key={project.id}>
            <Link href={to.board(project.id)}>{project.name}</Link>
            <span className="fine">{project.workflow.name}</span>
            {project.paused_at === null ? null : <Badge tone="warning">Paused</Badge>}
          </li>
        ))}
      </ul>
    </>
  );
}
