import { ifUnchangedHeader } from '../client/if-unchanged-header.ts'
import { invalidRequest } from '../kernel/errors/errors.ts'
import { getHeader, getOperation, type Middleware } from './http-types.ts'

/** Reads which values a change depends on. An operation that cannot depend on them refuses the header, and never ignores it. */
export const readIfUnchanged = (): Middleware => ({
  before: ({ event, context }) => {
    const header = getHeader(event, ifUnchangedHeader.toLowerCase())
    if (header === undefined) return
    if (!getOperation(context).acceptsIfUnchanged)
      throw invalidRequest([{ field: ifUnchangedHeader, message: 'is not supported by this operation' }])
    const values = parseObject(header)
    if (!values)
      throw invalidRequest([
        {
          field: ifUnchangedHeader,
          message: 'must be a JSON object with the name and the value of at least one field',
        },
      ])
    context.requestState.ifUnchanged = values
  },
})

const parseObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length > 0
      ? { ...value }
      : undefined
  } catch {
    return undefined
  }
}
