import { Health, HealthCheck } from '../../models/health.ts'
import { describeModel } from '../describe.ts'

const check = { name: 'table', status: 'ok', detail: null, duration_ms: 6 } as const

export const healthTexts = [
  describeModel(HealthCheck, {
    description: 'The result of one check.',
    fields: {
      name: 'What was checked: `table` (reading data), `vault` (encryption of secrets) or `mail` (the sender of emails).',
      status: '`ok`, `failing`, or `off` for a part that is not configured.',
      detail: 'What is wrong, in one sentence without internal details. Null if nothing is.',
      duration_ms: 'How long the check took, in milliseconds.',
    },
    example: check,
  }),
  describeModel(Health, {
    description: 'Whether the service works.',
    fields: {
      status: '`ok`, or `failing` if a check failed. Without checks, it says that the service answers.',
      version: 'The version of the service.',
      checks: 'The checks, if the request has `deep=true`.',
    },
    example: { status: 'ok', version: '0.1.0', checks: [check] },
  }),
]
