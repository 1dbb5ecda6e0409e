import { gzipSync } from 'node:zlib'
import type { GroupHandler } from '../../lib/http/handler.ts'
import { getHeader, type HttpEvent, type HttpResult } from '../../lib/http/http-types.ts'

/**
 * Answers with 304 if the client already has the document (RFC 9110 13.1.2), and compresses it otherwise. This only
 * concerns responses with an `ETag`, which are the same for everyone. A compressed secret could be guessed by its length.
 */
export const answerFromCache =
  (handle: GroupHandler): GroupHandler =>
  async (event, context) => {
    const result = await handle(event, context)
    const { 'content-type': _type, 'content-length': _length, ...kept } = result.headers ?? {}
    const etag = kept['etag']
    if (typeof etag !== 'string' || result.statusCode !== 200) return result
    if (listTags(event).includes(etag))
      return { statusCode: 304, headers: { ...kept, vary: 'accept-encoding' } }
    const headers = { ...result.headers, vary: 'accept-encoding' }
    if (!result.body || !acceptsGzip(event)) return { ...result, headers }
    return {
      ...result,
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: compressOnce(etag, result),
      isBase64Encoded: true,
    }
  }

const listTags = (event: HttpEvent): readonly string[] =>
  (getHeader(event, 'if-none-match') ?? '').split(',').map((tag) => tag.trim())

const acceptsGzip = (event: HttpEvent): boolean =>
  (getHeader(event, 'accept-encoding') ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .some((coding) => coding.startsWith('gzip') && !/;\s*q=0(\.0*)?$/.test(coding))

const compressed = new Map<string, string>()

/** Compresses a body once per process. Only documents that never change have an `ETag`, so there are few. */
const compressOnce = (etag: string, { body = '' }: HttpResult): string => {
  const known = compressed.get(etag) ?? gzipSync(body).toString('base64')
  compressed.set(etag, known)
  return known
}
