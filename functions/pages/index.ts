import { pages } from '../../lib/contract/operations/pages.ts'
import { answerFromCache } from '../../lib/http/answer-from-cache.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { readAccount } from './account-data.ts'
import { getScript, getStylesheet } from './assets.ts'
import { getOpenApi } from './open-api.ts'
import { openPasskeys } from './open-passkeys.ts'
import { getFavicon, getRobots } from './plain-files.ts'
import { requireSignIn, showAppPage } from './show-app-page.ts'
import { showReference } from './show-reference.ts'
import { readSignInData } from './sign-in-data.ts'

export const handler = answerFromCache(
  pages,
  createGroupHandler(pages, {
    signInPage: showAppPage('signIn', readSignInData),
    resetPage: showAppPage('reset'),
    securePage: showAppPage('secure'),
    confirmPage: showAppPage('confirm'),
    linkPage: showAppPage('link'),
    passkeysPage: openPasskeys,
    invitePage: showAppPage('invite'),
    accountPage: requireSignIn(showAppPage('account', readAccount)),
    adminPage: requireSignIn(showAppPage('admin')),
    getScript,
    getStylesheet,
    referencePage: showReference,
    getFavicon,
    getRobots,
    getOpenApi,
  }),
)
