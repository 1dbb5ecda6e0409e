import type { FunctionTarget } from './function-target.ts'

/** Where the passwords of the old system are checked, and until when. */
export interface LegacyPasswordCheck {
  readonly target: FunctionTarget
  /** Epoch milliseconds. From then on, the old system is not asked. */
  readonly endsAt: number
}
