import * as create from '../../lib/features/access-links/create.use-cases.ts'
import * as list from '../../lib/features/access-links/list.use-cases.ts'
import * as oneLink from '../../lib/features/access-links/one-link.use-cases.ts'
import { accessLinks } from '../../lib/features/access-links/operations.ts'
import * as organization from '../../lib/features/access-links/organization.use-cases.ts'
import * as publishedClients from '../../lib/features/access-links/published-clients.use-cases.ts'
import * as sendEmail from '../../lib/features/access-links/send-email.use-cases.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'

export const handler = createGroupHandler(accessLinks, {
  ...create,
  ...oneLink,
  ...list,
  ...organization,
  ...publishedClients,
  ...sendEmail,
  ...onDemand(() => import('../../lib/features/access-links/hand-over.use-cases.ts'), 'handOverAccessTokens'),
})
