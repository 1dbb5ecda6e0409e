import { accessTokens } from '../../lib/contract/operations/access-tokens.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as create from './create.ts'
import * as deletion from './delete.ts'
import * as get from './get.ts'
import * as list from './list.ts'
import * as publishedClients from './published-clients.ts'
import * as redeem from './redeem.ts'
import * as sendEmail from './send-email.ts'

export const handler = createGroupHandler(accessTokens, {
  ...create,
  ...deletion,
  ...get,
  ...list,
  ...publishedClients,
  ...redeem,
  ...sendEmail,
})
