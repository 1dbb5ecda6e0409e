import type { IncomingMessage } from 'node:http'
import { maxBodyBytes } from './quotas.ts'

const drainTimeoutMs = 2000
const maxDrainedBytes = 16 * 1024 * 1024

/** The body exceeds the limit of the gateway. */
interface OversizedBody {
  /**
   * Resolves when the client has sent the rest or far too much of it. A client that gets the response before it has
   * sent everything may never read the response.
   */
  readonly rest: Promise<void>
}

/** Reads the body up to the limit. Rejects if the client disconnects first. */
export const readBody = (req: IncomingMessage): Promise<Buffer | OversizedBody> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length <= maxBodyBytes) return
      req.off('data', onData)
      resolve({ rest: drain(req) })
    }
    req.on('data', onData)
    req.once('end', () => resolve(Buffer.concat(chunks)))
    req.once('error', reject)
    req.once('close', () => reject(new Error('The client disconnected.')))
  })

const drain = (req: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let length = 0
    const timer = setTimeout(resolve, drainTimeoutMs)
    req.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxDrainedBytes) resolve()
    })
    req.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
