import type { IncomingMessage } from 'node:http'

/** All values of a header in the order sent; `req.headers` drops duplicates of some headers. */
export const headerValues = (req: IncomingMessage, name: string): string[] =>
  req.rawHeaders.filter((_, i) => i % 2 === 1 && req.rawHeaders[i - 1]?.toLowerCase() === name)

/** Exactly one `Host` header is required, except in HTTP/1.0 (RFC 9112, section 3.2). */
export const hasValidHost = (req: IncomingMessage): boolean => {
  const hosts = headerValues(req, 'host').length
  return hosts === 1 || (hosts === 0 && req.httpVersion === '1.0')
}

/** Bytes of a line break, and of a colon with a space. */
const separatorBytes = 2

/**
 * Returns the bytes of the request line and the headers on the wire, with names, separators and line breaks. The quota
 * of API Gateway names only the request line and the values. Counting more is the safe reading.
 */
export const countHeadBytes = ({
  method = '',
  url = '',
  httpVersion,
  rawHeaders,
}: IncomingMessage): number => {
  const requestLine = `${method} ${url} HTTP/${httpVersion}`
  const fields = rawHeaders.reduce((bytes, text) => bytes + text.length + separatorBytes, 0)
  return requestLine.length + fields + 2 * separatorBytes
}
