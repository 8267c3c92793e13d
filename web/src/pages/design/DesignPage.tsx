import { PageHeader } from '../../app/layout/PageHeader';
import { useTitle } from '../../app/title';
import { CardSamples } from './CardSamples';
import { ColourSamples, TypeSamples } from './ColourSamples';
import { ControlSamples } from './ControlSamples';
import styles from './DesignPage.module.css';
import { FeedbackSamples } from './FeedbackSamples';
import { ListSamples } from './ListSamples';

/** Every component of the page in its states. */
export function DesignPage() {
  useTitle('Design system');
  return (
    <>
      <PageHeader title="Design system" note="Every component in its states" />
      <div className={styles.scroll}>
        <div className={styles.page}>
          <ColourSamples />
          <TypeSamples />
          <ControlSamples />
          <CardSamples />
          <ListSamples />
          <FeedbackSamples />
        </div>
      </div>
    </>
  );
}
