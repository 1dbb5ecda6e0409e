import { pages } from '../../lib/contract/operations/pages.ts'
import { answerFromCache } from '../../lib/http/answer-from-cache.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'
import * as assets from './assets.ts'
import { requireSignIn, showAppPage } from './show-app-page.ts'
import { readAccount, readConsole, readSignInData, readSignUpData } from './sign-in-data.ts'

/** Leads to the account page, which has the passkeys. Older links of products lead to their former page. */
const openPasskeys = async () => ({
  status: 303 as const,
  headers: { location: '/account#/passkeys' },
})

export const handler = answerFromCache(
  pages,
  createGroupHandler(pages, {
    signInPage: showAppPage('signIn', readSignInData),
    resetPage: showAppPage('reset'),
    securePage: showAppPage('secure'),
    confirmPage: showAppPage('confirm'),
    linkPage: showAppPage('link'),
    passkeysPage: openPasskeys,
    signUpPage: showAppPage('signUp', readSignUpData),
    setupPage: showAppPage('setup'),
    invitePage: showAppPage('invite'),
    accountPage: requireSignIn(showAppPage('account', readAccount)),
    adminPage: requireSignIn(showAppPage('admin', readConsole)),
    ...onDemand(
      () => import('./show-reference.ts'),
      'referencePage',
      'referenceTopicPage',
      'getReferenceIndex',
      'getOpenApi',
    ),
    ...assets,
  }),
)
