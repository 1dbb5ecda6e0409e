import '../kit/kit.css'
import { startConfirmPage } from '../confirm/page.tsx'
import { startInvitePage } from '../invite/page.tsx'
import { pageData } from '../kit/start-path.ts'
import { startLinkPage } from '../link/page.tsx'
import type { Catalogues } from '../messages/catalogues.ts'
import { startResetPage } from '../reset/page.tsx'
import { startSecurePage } from '../secure/page.tsx'
import { startSignInPage } from '../sign-in/page.tsx'
import { startSignUpPage } from '../sign-up/page.tsx'

/** All pages but those with a script of their own, which are listed in `build/pages/build-app.ts`. */
type PublicPage = Exclude<keyof Catalogues['titles'], 'account' | 'admin' | 'organization' | 'setup'>

const pages: Readonly<Record<PublicPage, () => Promise<void>>> = {
  confirm: startConfirmPage,
  invite: startInvitePage,
  link: startLinkPage,
  reset: startResetPage,
  secure: startSecurePage,
  signIn: startSignInPage,
  signUp: startSignUpPage,
}

/*
 * One script has all public pages, so that each of them needs a single request for its code, and none after the first. The pages
 * with a script of their own use the same script, which shows nothing on them.
 */
await new Map(Object.entries(pages)).get(pageData.page)?.()
