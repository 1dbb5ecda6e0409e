import { pages } from '../../lib/contract/operations/pages.ts'
import { answerFromCache } from '../../lib/http/answer-from-cache.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'
import { requireSignIn, showAppPage } from './show-app-page.ts'
import * as useCases from './use-cases.ts'
import { openPasskeys, readAccount, readConsole, readSignInData, readSignUpData } from './use-cases.ts'

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
    ...useCases,
  }),
)
