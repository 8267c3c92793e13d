import { useMemo } from 'react';

import { markdownToHtml } from './markdown';
import styles from './Prose.module.css';

/** Rendered Markdown. Loaded on demand, because the parser is not part of the first screen. */
export default function MarkdownHtml({ source }: { source: string }) {
  const html = useMemo(() => markdownToHtml(source), [source]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: markdownToHtml sanitises it
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
