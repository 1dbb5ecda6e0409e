import * as accessLinks from './access-links/account-rows.ts'

/** What deletes things of a deleted user outside of their partition. */
export const accountCleanUps = [accessLinks.cleanUp]
