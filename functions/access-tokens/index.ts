import { accessTokens } from '../../lib/contract/operations/access-tokens.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { createAccessToken } from './create.ts'
import { deleteAccessToken } from './delete.ts'
import {
  deleteEasySharingTokenForBundle,
  deleteEasySharingTokenForDirectory,
  getEasySharingTokenForBundle,
  getEasySharingTokenForDirectory,
} from './easy-sharing-token.ts'
import { getAccessToken, getAccessTokenByValue } from './get.ts'
import { getAllAccessTokens } from './list.ts'
import { getAccessTokenMediaLibraryPermissions } from './permissions.ts'
import { redeemAccessToken } from './redeem.ts'
import { sendAccessTokenEmailNotification } from './send-email.ts'
import { shareMediaLibraryObjects } from './share.ts'

export const handler = createGroupHandler(accessTokens, {
  getAllAccessTokens,
  createAccessToken,
  shareMediaLibraryObjects,
  getAccessToken,
  deleteAccessToken,
  sendAccessTokenEmailNotification,
  getAccessTokenByValue,
  getAccessTokenMediaLibraryPermissions,
  redeemAccessToken,
  getEasySharingTokenForBundle,
  deleteEasySharingTokenForBundle,
  getEasySharingTokenForDirectory,
  deleteEasySharingTokenForDirectory,
})
