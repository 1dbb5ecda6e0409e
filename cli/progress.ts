import { SingleBar } from 'cli-progress'
import type { ImportCounts } from './users/import-users.ts'

/** Shows the progress of an import on stderr: a bar in a terminal, otherwise a line from time to time. */
export interface Progress {
  readonly show: (counts: Readonly<ImportCounts>, readBytes: number) => void
  readonly end: () => void
}

const linesBetween = 5000

export const startProgress = (sizeBytes: number): Progress =>
  process.stderr.isTTY ? startBar(Math.max(1, sizeBytes)) : startLines()

const startBar = (sizeBytes: number): Progress => {
  const bar = new SingleBar({
    format: '  [{bar}] {percentage} % | {lines} lines | {rate}/s | {refused} refused',
    barsize: 24,
    hideCursor: true,
  })
  const startedAt = performance.now()
  bar.start(sizeBytes, 0, { lines: '0', rate: '0', refused: '0' })
  return {
    show: (counts, readBytes) => {
      const done = counts.imported + counts.known + counts.refused
      const seconds = (performance.now() - startedAt) / 1000
      bar.update(readBytes, {
        lines: formatNumber(done),
        rate: formatNumber(done / seconds),
        refused: formatNumber(counts.refused),
      })
    },
    end: () => bar.stop(),
  }
}

const startLines = (): Progress => {
  let shown = 0
  return {
    show: ({ line, imported, known, refused }) => {
      if (line - shown < linesBetween) return
      shown = line
      process.stderr.write(
        `line ${formatNumber(line)}: ${formatNumber(imported + known)} imported, ${formatNumber(refused)} refused\n`,
      )
    },
    end: () => {},
  }
}

/** A whole number with thousands separators. */
export const formatNumber = (value: number): string => Math.round(value).toLocaleString('en')
