import { AppError } from '../kernel/errors/errors.ts'
import { getHeader, getOperation, type HttpEvent, type Middleware } from './http-types.ts'

/**
 * Rejects a caller that reads none of the operation's media types. RFC 9110 12.5.1 leaves this to the server. Empty
 * responses suit every caller, and an operation can declare that `Accept` does not matter.
 */
export const checkAccept = (): Middleware => ({
  before: ({ event, context }) => {
    const { responses, ignoresAccept } = getOperation(context)
    if (ignoresAccept || acceptsAll(event)) return
    const types = Object.values(responses)
      .filter((response) => response !== null)
      .map((response) => (typeof response === 'string' ? response : 'application/json'))
    if (types.length > 0 && !types.some((type) => accepts(event, type))) throw new AppError('not_acceptable')
  },
})

/** Most programs send no other header, so their requests need no list of types. */
const acceptsAll = (event: HttpEvent): boolean => (getHeader(event, 'accept') ?? '*/*') === '*/*'

/** Whether the `Accept` header allows a media type. Without the header, every type is allowed (RFC 9110 12.5.1). */
export const accepts = (event: HttpEvent, type: string): boolean => {
  const header = getHeader(event, 'accept')?.trim()
  if (!header) return true
  const [mainType] = type.split('/')
  const ranges = header.split(',').map((range) =>
    range
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/),
  )
  const getQuality = (name: string): number | undefined => {
    const parameters = ranges.find(([range]) => range === name)?.slice(1)
    return parameters && Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1)
  }
  return (getQuality(type) ?? getQuality(`${mainType}/*`) ?? getQuality('*/*') ?? 0) > 0
}

/** Whether the `Accept` header lists HTML, as browsers do when they open a page. */
export const acceptsHtml = (event: HttpEvent): boolean =>
  /\btext\/html\b/i.test(getHeader(event, 'accept') ?? '')
