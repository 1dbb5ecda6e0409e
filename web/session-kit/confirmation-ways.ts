import type { ConfirmationWays } from '../../lib/contract/page-data.ts'
import { pageData } from '../kit/page-data.ts'

let ways: ConfirmationWays = pageData.user?.confirmation ?? {
  hasPassword: false,
  hasPasskey: false,
  providerId: null,
}

/** How the person can confirm their identity now. */
export const getConfirmationWays = (): ConfirmationWays => ways

/** Reports that the person added or removed a way since the page was loaded. */
export const updateConfirmationWays = (changes: Partial<ConfirmationWays>): void => {
  ways = { ...ways, ...changes }
}
