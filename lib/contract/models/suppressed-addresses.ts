import * as z from 'zod/mini'
import { dateTime, nonEmptyText } from './fields.ts'

/** An email address that receives no email, because an email bounced or its recipient complained. */
export const SuppressedAddress = z.strictObject({
  /** Identifies the address in paths. */
  key: nonEmptyText,
  address: nonEmptyText,
  reason: z.enum(['bounce', 'complaint']),
  since: dateTime,
  until: dateTime,
})
export type SuppressedAddress = z.output<typeof SuppressedAddress>
