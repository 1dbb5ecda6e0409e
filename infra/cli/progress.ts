import { SingleBar } from 'cli-progress'
import type { ImportCounts } from './import-users.ts'

/** Shows how far an import is, on stderr: a bar in a terminal, elsewhere a line now and then. */
export interface Progress {
  readonly show: (counts: Readonly<ImportCounts>, readBytes: number) => void
  readonly end: () => void
}

const linesBetween = 5000

export const startProgress = (sizeBytes: number): Progress =>
  process.stderr.isTTY ? barProgress(Math.max(1, sizeBytes)) : lineProgress()

const barProgress = (sizeBytes: number): Progress => {
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
        lines: number(done),
        rate: number(done / seconds),
        refused: number(counts.refused),
      })
    },
    end: () => bar.stop(),
  }
}

const lineProgress = (): Progress => {
  let shown = 0
  return {
    show: ({ line, imported, known, refused }) => {
      if (line - shown < linesBetween) return
      shown = line
      process.stderr.write(
        `line ${number(line)}: ${number(imported + known)} in, ${number(refused)} refused\n`,
      )
    },
    end: () => {},
  }
}

/** A whole number with a comma every three digits. */
export const number = (value: number): string => Math.round(value).toLocaleString('en')
