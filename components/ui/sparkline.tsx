/** A session's token curve, small. Purely a picture: the counts beside it say it in words. */
export function Sparkline({
  points,
  width = 200,
  height = 22,
}: {
  points: readonly number[]
  width?: number
  height?: number
}) {
  if (points.length < 2) return <div style={{ height }} aria-hidden="true" />
  const peak = Math.max(...points, 1)
  const step = width / (points.length - 1)
  const path = points
    .map((value, i) => {
      const y = height - 1.5 - (value / peak) * (height - 3)
      return `${i ? 'L' : 'M'}${(i * step).toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
  return (
    <svg
      width="100%"
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="block"
    >
      <path d={`${path}L${width} ${height}L0 ${height}Z`} fill="var(--faint)" fillOpacity=".14" />
      <path
        d={path}
        fill="none"
        stroke="var(--faint)"
        strokeWidth="1.2"
        vectorEffect="non-scaling-stroke"
        strokeLinejoin="round"
      />
    </svg>
  )
}
