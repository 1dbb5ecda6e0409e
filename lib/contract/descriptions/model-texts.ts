import type { ModelText } from './describe.ts'
import { groupUpdateTexts } from './models/group-update.ts'
import { groupsTexts } from './models/groups.ts'
import { profileTexts } from './models/profile.ts'
import { ticketTexts } from './models/ticket.ts'
import { userTexts } from './models/user.ts'
import { userDetailTexts } from './models/user-detail.ts'
import { userMiniTexts } from './models/user-mini.ts'
import { userTemplatesTexts } from './models/user-templates.ts'
import { userUpdateTexts } from './models/user-update.ts'

/** The texts of every model with a name. */
export const modelTexts: readonly ModelText[] = [
  ...groupUpdateTexts,
  ...groupsTexts,
  ...profileTexts,
  ...ticketTexts,
  ...userTexts,
  ...userDetailTexts,
  ...userMiniTexts,
  ...userTemplatesTexts,
  ...userUpdateTexts,
]
