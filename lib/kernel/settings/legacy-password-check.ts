import { day } from '../util/time.ts'
import type { FunctionTarget } from './function-target.ts'

/** Where the passwords of the old system are checked, and until when. */
export interface LegacyPasswordCheck {
  readonly target: FunctionTarget
  /** Epoch milliseconds. From then on, the old system is not asked. */
  readonly endsAt: number
}

/** Reads a day such as `2027-03-31`, and returns its end in UTC. Returns an error text if there is no such day. */
export const readLastDay = (text: string): number | string => {
  const start = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00.000Z`) : undefined
  // Some engines read February 30 as a day of March.
  if (!start || Number.isNaN(start.getTime()) || !start.toISOString().startsWith(text))
    return 'must be a day such as 2027-03-31'
  return start.getTime() + day
}
