import { useId } from 'preact/hooks'
import { formatNumber } from '../../kit/format.ts'

/** A kind of bar, which stands on the one before it. */
interface Series {
  readonly name: 'succeeded' | 'refused'
  readonly label: string
  /** One for each place, as many as there are labels. */
  readonly values: readonly number[]
}

interface ChartProps {
  readonly label: string
  /** The texts below the bars. A narrow window shows the first and the last one. */
  readonly places: readonly string[]
  readonly series: readonly Series[]
  readonly chosen: number
  readonly onChoose: (at: number) => void
  /** What a screen reader says about a place, and what stands above the chart. */
  readonly describe: (at: number) => string
}

const barStep = 10
const barWidth = 6
const height = 100

/** A scale ends at two or at an even number of powers of ten, so that its half is a whole number. */
const findScaleEnd = (most: number): number => {
  const least = Math.max(2, most)
  const power = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 4, 6, 8, 10].map((factor) => factor * power).find((end) => end >= least) ?? least
}

const moves = new Map<string, (at: number, last: number) => number>([
  ['ArrowLeft', (at) => at - 1],
  ['ArrowDown', (at) => at - 1],
  ['ArrowRight', (at) => at + 1],
  ['ArrowUp', (at) => at + 1],
  ['Home', () => 0],
  ['End', (_, last) => last],
])

/** Bars with a scale. The pointer and the arrow keys choose one of them, whose numbers stand above the chart. */
export const Chart = ({ label, places, series, chosen, onChoose, describe }: ChartProps) => {
  const id = useId()
  const last = places.length - 1
  const totals = places.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0))
  const end = findScaleEnd(Math.max(...totals))
  const press = (event: KeyboardEvent): void => {
    const move = moves.get(event.key)
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onChoose(Math.min(last, Math.max(0, move(chosen, last))))
  }
  return (
    <figure class="chart months">
      <p class="chosen" id={id} aria-hidden="true">
        {describe(chosen)}
      </p>
      {series.length > 1 && (
        <p class="note" aria-hidden="true">
          {series.map(({ name, label: text }) => (
            <span key={name} class={`key ${name}`}>
              {text}
            </span>
          ))}
        </p>
      )}
      <div class="plot">
        <div class="scale note" aria-hidden="true">
          {[end, end / 2, 0].map((mark) => (
            <span key={mark}>{formatNumber(mark)}</span>
          ))}
        </div>
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={1}
          aria-valuemax={places.length}
          aria-valuenow={chosen + 1}
          aria-valuetext={describe(chosen)}
          onKeyDown={press}
        >
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${places.length * barStep} ${height}`}
            preserveAspectRatio="none"
          >
            {[0, height / 2].map((y) => (
              <line key={y} class="scale-line" x1={0} x2={places.length * barStep} y1={y} y2={y} />
            ))}
            {places.map((place, at) => {
              let top = height
              return (
                <g
                  key={place}
                  class={at === chosen ? 'bar chosen' : 'bar'}
                  onPointerEnter={() => onChoose(at)}
                >
                  {series.map(({ name, values }) => {
                    const length = ((values[at] ?? 0) / end) * height
                    top -= length
                    return (
                      <rect
                        key={name}
                        class={name}
                        x={at * barStep + (barStep - barWidth) / 2}
                        y={top}
                        width={barWidth}
                        height={length}
                      />
                    )
                  })}
                  <rect class="area" x={at * barStep} y={0} width={barStep} height={height} />
                </g>
              )
            })}
          </svg>
        </div>
        <div class="places note" aria-hidden="true">
          {places.map((place) => (
            <span key={place}>{place}</span>
          ))}
        </div>
      </div>
    </figure>
  )
}
