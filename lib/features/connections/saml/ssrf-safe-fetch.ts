import type { IncomingMessage } from 'node:http'
import { metadataBytes, metadataFetchMs } from '../../../kernel/limits/connection-limits.ts'
import { FetchError } from '../fetch-error.ts'
import { BodyError, knownEncodings, readLimited } from '../read-limited.ts'
import { type FetchRules, sendSafely } from '../ssrf-safe-request.ts'

/**
 * Returns the bytes behind a URL that `readMetadataAddress` accepted: see `ssrf-safe-request.ts`.
 *
 * @throws FetchError
 */
export const ssrfSafeFetch = (url: URL, rules: FetchRules): Promise<Buffer> =>
  sendSafely(url, metadataRequest, rules, readBody)

const metadataRequest = {
  method: 'GET',
  headers: {
    accept: 'application/samlmetadata+xml, application/xml, text/xml, */*;q=0.1',
    'accept-encoding': knownEncodings,
  },
  timeoutMs: metadataFetchMs,
} as const

const readBody = async (response: IncomingMessage): Promise<Buffer> => {
  const { statusCode = 0, headers } = response
  if (statusCode >= 300 && statusCode < 400) throw new FetchError('redirect')
  if (statusCode !== 200) throw new FetchError('status')
  if (Number(headers['content-length'] ?? 0) > metadataBytes) throw new FetchError('size')
  try {
    return await readLimited(response, headers['content-encoding'] ?? '', metadataBytes)
  } catch (error) {
    throw new FetchError(error instanceof BodyError ? error.part : 'answer')
  }
}
