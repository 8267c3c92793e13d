import { lazy, Suspense } from 'react';

import { classNames } from './classNames';
import styles from './Prose.module.css';

const MarkdownHtml = lazy(() => import('./MarkdownHtml'));

/** Longer texts are shown unrendered: parsing them would block the page. */
const MOST_CHARACTERS = 200_000;

/** Text that people and agents write. The plain text is shown until the parser is loaded. */
export function Markdown({ source }: { source: string }) {
  const plain = <div className={classNames(styles.prose, styles.plain)}>{source}</div>;
  return source.length > MOST_CHARACTERS ? (
    plain
  ) : (
    <Suspense fallback={plain}>
      <MarkdownHtml source={source} />
    </Suspense>
  );
}
