import * as z from 'zod/mini'
import { flag, nonEmptyText, text } from './fields.ts'

export const ContinueRequest = z.strictObject({
  /** A path of this service, or a page of an allowed origin. */
  return_to: text(1023),
})
export type ContinueRequest = z.output<typeof ContinueRequest>

/** Where a sign-in page returns to. */
export const ReturnTarget = z.strictObject({
  return_to: nonEmptyText,
  origin: nonEmptyText,
  is_external: flag,
})
export type ReturnTarget = z.output<typeof ReturnTarget>

export const ReturnLocation = z.strictObject({ location: nonEmptyText })
export type ReturnLocation = z.output<typeof ReturnLocation>
