import styles from './DesignPage.module.css';
import { Section } from './Section';

const ROLES = [
  'canvas',
  'surface',
  'well',
  'hover',
  'selected',
  'border-subtle',
  'border',
  'border-control',
  'text-1',
  'text-2',
  'text-3',
  'accent',
  'accent-tint',
  'ink',
  'on-ink',
  'add-bg',
  'add-word',
  'del-bg',
  'del-word',
  'log-bg',
];

const SIZES = ['micro', 'small', 'body', 'read', 'title-s', 'title-m', 'title-l', 'code'];

/** The colour roles of the present theme. */
export function ColourSamples() {
  return (
    <Section title="Colours">
      <div className={styles.swatches}>
        {ROLES.map((role) => (
          <div key={role} className={styles.swatch}>
            <div className={styles.colour} style={{ background: `var(--${role})` }} />
            <div className={styles.swatchName}>{role}</div>
          </div>
        ))}
      </div>
    </Section>
  );
}

/** The type scale. */
export function TypeSamples() {
  return (
    <Section title="Type">
      <div className={styles.type}>
        {SIZES.map((size) => (
          <div
            key={size}
            style={{
              fontSize: `var(--size-${size})`,
              lineHeight: `var(--line-${size})`,
              fontWeight: size.startsWith('title') ? 600 : 400,
              fontFamily: size === 'code' ? 'var(--mono)' : undefined,
            }}
          >
            {size}: Many branches, one main 0123456789
          </div>
        ))}
      </div>
    </Section>
  );
}
