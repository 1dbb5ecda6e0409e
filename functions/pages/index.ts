import { requireSignIn, showAppPage } from '../../lib/features/pages/app.page.ts'
import { pages } from '../../lib/features/pages/operations.ts'
import * as useCases from '../../lib/features/pages/use-cases.ts'
import {
  readAccount,
  readConsole,
  readSignInData,
  readSignUpData,
} from '../../lib/features/pages/use-cases.ts'
import * as wellKnown from '../../lib/features/pages/well-known.use-cases.ts'
import { answerFromCache } from '../../lib/http/answer-from-cache.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'

export const handler = answerFromCache(
  pages,
  createGroupHandler(pages, {
    signInPage: showAppPage('signIn', readSignInData),
    resetPage: showAppPage('reset'),
    securePage: showAppPage('secure'),
    confirmPage: showAppPage('confirm'),
    linkPage: showAppPage('link'),
    signUpPage: showAppPage('signUp', readSignUpData),
    setupPage: showAppPage('setup'),
    invitePage: showAppPage('invite'),
    accountPage: requireSignIn(showAppPage('account', readAccount)),
    organizationPage: requireSignIn(showAppPage('organization')),
    adminPage: requireSignIn(showAppPage('admin', readConsole)),
    ...onDemand(
      () => import('../../lib/features/pages/reference.use-cases.ts'),
      'referencePage',
      'referenceTopicPage',
      'guidePage',
      'getReferenceIndex',
      'getOpenApi',
    ),
    ...useCases,
    ...wellKnown,
  }),
)
