import { buildApp } from '../../build/pages/build-app.ts'

/** All pages that run scripts, with their shared chunks. */
export const app = buildApp({
  invite: new URL('../../web/invite/page.tsx', import.meta.url),
  signIn: new URL('../../web/sign-in/page.tsx', import.meta.url),
  reset: new URL('../../web/reset/page.tsx', import.meta.url),
  secure: new URL('../../web/secure/page.tsx', import.meta.url),
  confirm: new URL('../../web/confirm/page.tsx', import.meta.url),
  link: new URL('../../web/link/page.tsx', import.meta.url),
  account: new URL('../../web/account/page.tsx', import.meta.url),
  admin: new URL('../../web/admin/page.tsx', import.meta.url),
})
