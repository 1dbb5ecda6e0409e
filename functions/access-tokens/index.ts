import { accessTokens } from '../../lib/contract/operations/access-tokens.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as create from './create.ts'
import * as list from './list.ts'
import * as oneLink from './one-link.ts'
import * as publishedClients from './published-clients.ts'
import * as sendEmail from './send-email.ts'

export const handler = createGroupHandler(accessTokens, {
  ...create,
  ...oneLink,
  ...list,
  ...publishedClients,
  ...sendEmail,
})
