import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { answersHead } from '../kernel/contract/operation.ts'
import { addVary } from './cross-origin.ts'
import type { GroupHandler, OperationsByName } from './handler.ts'
import { getHeader, type HttpEvent, readRoutePath } from './http-types.ts'
import { nameRoute } from './name-route.ts'
import { toGetEvent, toHeadResult } from './respond.ts'

/**
 * Answers with 304 if the client already has the document (RFC 9110 13.1.2), and compresses it otherwise. This only
 * concerns responses with an `ETag`, which are the same for everyone. A compressed secret could be guessed by its length.
 */
export const answerFromCache = (operations: OperationsByName, handle: GroupHandler): GroupHandler => {
  const answer = answerGet(handle)
  const toNamed = nameRoute(Object.values(operations))
  const pathsWithHead = new Set(
    Object.values(operations)
      .filter(answersHead)
      .map(({ path }) => path),
  )
  return async (event, context) => {
    const isHead = event.requestContext.http.method === 'HEAD'
    // A HEAD that is refused must not become a GET, which could change something.
    if (!isHead || !pathsWithHead.has(readRoutePath(toNamed(event)))) return answer(event, context)
    // HEAD has the headers of GET, and those depend on the body.
    return toHeadResult(event, await answer(toGetEvent(event), context))
  }
}

const answerGet =
  (handle: GroupHandler): GroupHandler =>
  async (event, context) => {
    const result = await handle(event, context)
    const { 'content-type': _type, 'content-length': _length, ...kept } = result.headers ?? {}
    const etag = kept['etag']
    if (typeof etag !== 'string' || result.statusCode !== 200) return result
    if (hasDocument(event, etag)) return { statusCode: 304, headers: addVary(kept, 'accept-encoding') }
    const headers = addVary({ ...result.headers }, 'accept-encoding')
    const coding = chooseCoding(event)
    if (!result.body || !coding) return { ...result, headers }
    return {
      ...result,
      headers: { ...headers, 'content-encoding': coding },
      body: compressOnce(etag, coding, result.body),
      isBase64Encoded: true,
    }
  }

/**
 * Returns the `ETag` of a document. It is a weak validator, because the compressed document has other bytes (RFC 9110
 * 8.8.1).
 */
export const buildWeakTag = (text: string): string =>
  `W/"${createHash('sha256').update(text).digest('base64url')}"`

/** Whether the client has the document. Weak and strong validators with one content are equal here (RFC 9110 13.1.2). */
const hasDocument = (event: HttpEvent, etag: string): boolean => {
  const header = getHeader(event, 'if-none-match')?.trim()
  if (header === '*') return true
  const tags = (header ?? '').split(',').map((tag) => toStrongTag(tag.trim()))
  return tags.includes(toStrongTag(etag))
}

const toStrongTag = (tag: string): string => tag.replace(/^W\//, '')

type Coding = keyof typeof compressors
const compressors = {
  // A higher quality takes seconds with the processor share of the function.
  br: (body: string) =>
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).toString('base64'),
  gzip: (body: string) => gzipSync(body).toString('base64'),
}

/** Returns the best accepted coding (RFC 9110 12.5.3). Undefined means no compression. */
const chooseCoding = (event: HttpEvent): Coding | undefined => {
  const accepted = (getHeader(event, 'accept-encoding') ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => !/;\s*q=0(\.0*)?$/.test(coding))
    .map((coding) => coding.split(';')[0]?.trim())
  return (['br', 'gzip'] as const).find((coding) => accepted.includes(coding))
}

const compressed = new Map<string, string>()

/** Compresses a body once per process. Documents with an `ETag` rarely change, so there are few. */
const compressOnce = (etag: string, coding: Coding, body: string): string => {
  const key = `${coding} ${etag}`
  const known = compressed.get(key) ?? compressors[coding](body)
  compressed.set(key, known)
  return known
}
