import * as z from 'zod/mini'
import { int32, nonEmptyText } from './fields.ts'

const status = z.enum(['ok', 'failing'])

export const HealthCheck = z.strictObject({
  name: z.enum(['table', 'vault', 'mail']),
  status: z.enum(['ok', 'failing', 'off']),
  detail: z.nullable(nonEmptyText),
  duration_ms: int32,
})
export type HealthCheck = z.output<typeof HealthCheck>

export const Health = z.strictObject({
  status,
  version: nonEmptyText,
  checks: z.optional(z.array(HealthCheck)),
})
export type Health = z.output<typeof Health>
