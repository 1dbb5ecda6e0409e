import { userLinesBytes, userLinesPerRequest } from '../../kernel/limits/limits.ts'
import type { Entry } from './import-file.ts'

interface Limits<T> {
  readonly most: number
  /** By default a batch may have any size. */
  readonly mostBytes?: number
  readonly bytesOf?: (item: T) => number
}

/** Groups items in their order. If they end with an error, the items before it are a batch as well. */
export async function* batch<T>(
  source: AsyncIterable<T>,
  { most, mostBytes = Number.POSITIVE_INFINITY, bytesOf = () => 0 }: Limits<T>,
): AsyncGenerator<readonly T[]> {
  let items: T[] = []
  let bytes = 0
  try {
    for await (const item of source) {
      const size = bytesOf(item)
      if (items.length >= most || (items.length > 0 && bytes + size > mostBytes)) {
        yield items
        items = []
        bytes = 0
      }
      items.push(item)
      bytes += size
    }
  } catch (error) {
    if (items.length > 0) yield items
    throw error
  }
  if (items.length > 0) yield items
}

/** What a body has besides its lines, with the number of each line. */
const othersBytes = 4096
const encoder = new TextEncoder()

/** Divides the lines of a file into parts, each as long as one request can be. */
export const toBatches = (entries: AsyncIterable<Entry>): AsyncGenerator<readonly Entry[]> =>
  batch(entries, {
    most: userLinesPerRequest,
    mostBytes: userLinesBytes - othersBytes,
    bytesOf: ({ fields }) => encoder.encode(JSON.stringify(fields ?? null)).length + 1,
  })
