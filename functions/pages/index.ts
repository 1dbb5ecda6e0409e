import { pages } from '../../lib/contract/operations/pages.ts'
import { notFound } from '../../lib/errors/errors.ts'
import { answerFromCache } from '../../lib/http/answer-from-cache.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'
import { favicon } from './favicon.prebuilt.ts'
import { requireSignIn, showAppPage } from './show-app-page.ts'
import { readAccount, readConsole, readSignInData, readSignUpData } from './sign-in-data.ts'

/** Answers with a script of the pages. Loaded on demand, because the pages themselves do not need the content. */
const getScript: UseCase<typeof pages.getScript> = async ({ params: { name } }) =>
  toReply((await import('./assets.prebuilt.ts')).scripts, name)

const getStylesheet: UseCase<typeof pages.getStylesheet> = async ({ params: { name } }) =>
  toReply((await import('./assets.prebuilt.ts')).stylesheets, name)

/** The name contains a hash of the content, so browsers and CDNs keep the file without asking again. */
const toReply = (files: Readonly<Record<string, string>>, name: string) => {
  const body = Object.hasOwn(files, name) ? files[name] : undefined
  if (body === undefined) throw notFound()
  const headers = { 'cache-control': 'public, max-age=31536000, immutable', etag: `W/"${name}"` }
  return { status: 200 as const, body, headers }
}

const icon = Buffer.from(favicon, 'base64')

/** Browsers request the icon on their own for every address of the service, so they keep it for a week. */
const getFavicon: UseCase<typeof pages.getFavicon> = async () => ({
  status: 200,
  headers: { 'cache-control': 'public, max-age=604800, immutable' },
  body: icon,
})

/** Pages have nothing to search for, and links in emails are for their recipients alone. */
const getRobots: UseCase<typeof pages.getRobots> = async () => ({
  status: 200,
  headers: { 'cache-control': 'public, max-age=86400' },
  body: 'User-agent: *\nDisallow: /\n',
})

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
    getScript,
    getStylesheet,
    getFavicon,
    getRobots,
  }),
)
