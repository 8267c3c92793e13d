/** Forge's mark: many lines into one. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" style={{ flex: 'none' }}>
      <rect width="20" height="20" rx="5.5" fill="var(--ink)" />
      <path
        d="M4.5 5.5c4 0 4 4.5 7 4.5M4.5 14.5c4 0 4-4.5 7-4.5M4.5 10h10.8"
        fill="none"
        stroke="var(--on-ink)"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
      <circle cx="15" cy="10" r="1.7" fill="var(--on-ink)" />
    </svg>
  );
}
