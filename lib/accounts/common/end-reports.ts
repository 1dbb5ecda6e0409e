import type { Services } from '../../services.ts'
import type { UserChanges } from '../../store/directory/user-record.ts'

/**
 * Builds the field that ends the links in earlier security emails of a user. An administrator who takes an account over
 * changes its password, email address or state. The former owner must not undo that.
 */
export const buildEndReportsChange = ({ now }: Services): Pick<UserChanges, 'securityReports'> => ({
  securityReports: { endedUntil: now() },
})
