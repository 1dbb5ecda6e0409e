import { AppError } from '../core/errors.ts'
import { getHeader, getOperation, type HttpEvent, type Middleware } from './http-types.ts'

/**
 * Refuses a caller that can't read any of the operation's answers; empty answers suit everybody, and an operation may
 * say that its answer does (RFC 9110 12.5.1 leaves it to us).
 */
export const checkAccept = (): Middleware => ({
  before: ({ event, context }) => {
    const { responses, ignoresAccept } = getOperation(context)
    if (ignoresAccept) return
    const types = Object.entries(responses)
      .filter(([, answer]) => answer !== null)
      .map(([, answer]) => (typeof answer === 'string' ? answer : 'application/json'))
    if (types.length > 0 && !types.some((type) => accepts(event, type))) throw new AppError('not_acceptable')
  },
})

/** Whether `Accept` lets a media type through; without the header everything passes (RFC 9110 12.5.1). */
export const accepts = (event: HttpEvent, type: string): boolean => {
  const header = getHeader(event, 'accept')?.trim()
  if (!header) return true
  const [kind] = type.split('/')
  const ranges = header.split(',').map((range) =>
    range
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/),
  )
  const quality = (name: string): number | undefined => {
    const parameters = ranges.find(([range]) => range === name)?.slice(1)
    return parameters && Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1)
  }
  return (quality(type) ?? quality(`${kind}/*`) ?? quality('*/*') ?? 0) > 0
}

/** Whether the caller names HTML among what it reads, as browsers do when they open a page. */
export const acceptsHtml = (event: HttpEvent): boolean =>
  /\btext\/html\b/i.test(getHeader(event, 'accept') ?? '')
