const newline = 0x0a

/** Tells lines of a file from places in it, without holding the file. */
export interface LineCounter {
  /** The same chunks; to be asked about are places that went through. */
  readonly counted: (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>
  /** The line, from 1, of a byte. Each question must be about the same place as the one before, or a later one. */
  readonly lineOf: (place: number) => number
}

export const lineCounter = (): LineCounter => {
  let size = 0
  let line = 1
  // Where lines end that nobody asked about yet.
  let ends: number[] = []
  let next = 0
  return {
    counted: async function* (chunks) {
      for await (const chunk of chunks) {
        for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1))
          ends.push(size + at)
        size += chunk.length
        yield chunk
      }
    },
    lineOf: (place) => {
      const before = next
      while ((ends[next] ?? Number.POSITIVE_INFINITY) < place) next += 1
      line += next - before
      if (next > 10_000) {
        ends = ends.slice(next)
        next = 0
      }
      return line
    },
  }
}
