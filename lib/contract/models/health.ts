import * as z from 'zod/mini'
import { describeModel } from '../describe.ts'
import { int32, nonEmptyText } from './fields.ts'

const status = z.enum(['ok', 'failing'])

export const HealthCheck = z.strictObject({
  name: z.enum(['table', 'vault', 'mail']),
  status: z.enum(['ok', 'failing', 'off']),
  detail: z.nullable(nonEmptyText),
  duration_ms: int32,
})
export type HealthCheck = z.output<typeof HealthCheck>

const exampleCheck = { name: 'table', status: 'ok', detail: null, duration_ms: 6 } as const

describeModel(HealthCheck, () => ({
  description: 'The result of one check.',
  fields: {
    name: 'What was checked: `table` (reading data), `vault` (encryption of secrets) or `mail` (the sender of emails).',
    status: '`ok`, `failing`, or `off` for a part that is not configured.',
    detail: 'What is wrong, in one sentence without internal details. Null if nothing is.',
    duration_ms: 'How long the check took, in milliseconds.',
  },
  example: exampleCheck,
}))

const exampleCommit = '29c7398c1f0a4b6d8e5c3a2b1d0f9e8c7b6a5d4e'

export const Health = z.strictObject({
  status,
  version: nonEmptyText,
  commit: z.optional(nonEmptyText),
  checks: z.optional(z.array(HealthCheck)),
})
export type Health = z.output<typeof Health>

describeModel(Health, () => ({
  description: 'Whether the service works.',
  fields: {
    status: '`ok`, or `failing` if a check failed. Without checks, it says that the service answers.',
    version: 'The version of the service.',
    commit: 'The commit that the service was built from, or `unknown`. Only if the request has `deep=true`.',
    checks: 'The checks, if the request has `deep=true`.',
  },
  example: { status: 'ok' as const, version: '0.1.0', commit: exampleCommit, checks: [exampleCheck] },
}))
