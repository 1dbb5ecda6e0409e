import { userLinesBytes, userLinesPerRequest } from '../limits/limits.ts'
import type { Entry } from './entry.ts'

/** What a body has besides its lines, with the number of each line. */
const othersBytes = 4096
const encoder = new TextEncoder()

/** Divides the lines of a file into parts, each as long as one request can be. If they end with an error, the lines before it are a part. */
export async function* toBatches(entries: AsyncIterable<Entry>): AsyncGenerator<readonly Entry[]> {
  let batch: Entry[] = []
  let bytes = othersBytes
  try {
    for await (const entry of entries) {
      const size = encoder.encode(JSON.stringify(entry.fields ?? null)).length + 1
      if (batch.length >= userLinesPerRequest || (batch.length > 0 && bytes + size > userLinesBytes)) {
        yield batch
        batch = []
        bytes = othersBytes
      }
      batch.push(entry)
      bytes += size
    }
  } catch (error) {
    if (batch.length > 0) yield batch
    throw error
  }
  if (batch.length > 0) yield batch
}
