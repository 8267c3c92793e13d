import styles from './Kbd.module.css';

/** Key caps: `g i` is two keys one after the other. */
export function Kbd({ keys }: { keys: string }) {
  const caps = keys.split(' ');
  return (
    <span className={styles.keys}>
      {caps.map((cap, index) => (
        // The position is the identity: the same key may come twice.
        // biome-ignore lint/suspicious/noArrayIndexKey: the caps never change their order
        <kbd key={index} className={styles.key}>
          {cap.length === 1 ? cap.toUpperCase() : cap}
        </kbd>
      ))}
    </span>
  );
}
