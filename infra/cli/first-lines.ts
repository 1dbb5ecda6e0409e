import { createHash } from 'node:crypto'

/** Remembers which line of a file was the first to say something. */
export interface FirstLines {
  /** The first line that said this; undefined when none has yet. */
  readonly find: (text: string) => number | undefined
  /** Notes that this line says it. */
  readonly note: (text: string, line: number) => void
}

const firstSize = 1024

/**
 * Remembers texts by 64 bits of their hash, in 16 bytes each: a file may have millions of lines, more than a Map has
 * places. That two different texts of ten million have the same bits happens in one of 300,000 such files.
 */
export const firstLines = (): FirstLines => {
  let prints = new BigUint64Array(firstSize)
  let lines = new Float64Array(firstSize)
  let count = 0

  /** Where a print is, or belongs; 0 is an empty place. */
  const placeOf = (print: bigint): number => {
    let place = Number(print % BigInt(prints.length))
    while (prints[place] !== 0n && prints[place] !== print) place = (place + 1) % prints.length
    return place
  }
  const grow = (): void => {
    const [oldPrints, oldLines] = [prints, lines]
    prints = new BigUint64Array(2 * oldPrints.length)
    lines = new Float64Array(2 * oldLines.length)
    for (const [at, print] of oldPrints.entries()) {
      if (print === 0n) continue
      const place = placeOf(print)
      prints[place] = print
      lines[place] = oldLines[at] ?? 0
    }
  }

  return {
    find: (text) => {
      const place = placeOf(printOf(text))
      return prints[place] === 0n ? undefined : lines[place]
    },
    note: (text, line) => {
      if (2 * count >= prints.length) grow()
      const print = printOf(text)
      const place = placeOf(print)
      prints[place] = print
      lines[place] = line
      count += 1
    },
  }
}

const printOf = (text: string): bigint => createHash('sha256').update(text).digest().readBigUInt64LE() || 1n
