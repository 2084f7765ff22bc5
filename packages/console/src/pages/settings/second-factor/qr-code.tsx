import { encode } from 'uqr';

const quietZone = 4;

/** A QR code. It is dark on light in every color scheme, because some cameras do not read the reverse. */
export function QrCode({ of, label }: { of: string; label: string }) {
  const { data, size } = encode(of, { border: quietZone });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .filter(Boolean)
    .join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={200}
      height={200}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
