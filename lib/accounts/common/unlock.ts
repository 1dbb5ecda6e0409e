import type { Services } from '../../services.ts'
import type { UserRecord } from '../../store/directory/user-record.ts'
import type { Step } from '../../store/engine/transaction.ts'
import { buildForgetEventsStep } from '../../store/rates/rates.ts'

/** Builds the step that forgets the failures of an account, for the transaction that resets its password. */
export const buildUnlockStep = ({ config }: Services, user: UserRecord): Step =>
  buildForgetEventsStep(config.rateLimits.accountFailures, user.normalizedUsername)
