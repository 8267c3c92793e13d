import { useQuery } from '@tanstack/react-query';

import { projectQuery, trainQuery } from '../../api/queries';
import type { Train } from '../../api/types';
import { Link } from '../../app/router';
import { to } from '../../app/routes';
import { useTitle } from '../../app/title';
import { Answered } from '../../ui/Answered';
import { Badge } from '../../ui/Badge';
import { Empty } from '../../ui/Empty';
import { Notice } from '../../ui/Notice';
import { describe } from './standing';
import './train.css';

/** Who waits to land, and what is known of them (M-13). */
export function TrainPage({ id }: { id: string }) {
  const project = useQuery(projectQuery(id));
  useTitle(project.data === undefined ? undefined : `Train of ${project.data.name}`);
  const trains = useQuery(trainQuery(id));
  return (
    <div className="train-page">
      <h1>Train</h1>
      <p>
        <Link href={to.board(id)}>{project.data === undefined ? 'Board' : `Board of ${project.data.name}`}</Link>
      </p>
      {project.data?.settings.merge?.paused === true ? (
        <Notice tone="warning">Landing is paused: nothing lands until it is resumed.</Notice>
      ) : null}
      <Answered what="the train" query={trains}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="Nobody waits to land">Tasks show up here from the moment they are to be merged.</Empty>
          ) : (
            found.map((train) => <Line key={`${train.node ?? ''} ${train.target}`} train={train} />)
          )
        }
      </Answered>
    </div>
  );
}

function Line({ train }: { train: Train }) {
  return (
    <section aria-label={`Waits for ${train.target}`}>
      <h2>
        <code>{train.target}</code>
      </h2>
      <p className="fine">
        {train.node === null ? `Up to ${train.window ?? 1} tried at once` : `Run by server ${train.node}`}
      </p>
      <ol className="cars">
        {train.cars.map((car) => {
          const { word, tone, meaning } = describe(car);
          return (
            <li key={car.task_id}>
              <Badge tone={tone} title={meaning}>
                {word}
              </Badge>{' '}
              {car.key === null ? (
                'A task of another project'
              ) : (
                <Link href={to.task(car.task_id)}>
                  <span className="key">{car.key}</span> {car.title}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
