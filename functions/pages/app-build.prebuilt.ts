import { buildApp } from '../../infra/pages/build-app.ts'

/** All pages that run scripts, with their shared chunks. */
export const app = buildApp({
  invite: new URL('invite/page.tsx', import.meta.url),
  signIn: new URL('sign-in/page.tsx', import.meta.url),
  reset: new URL('reset/page.tsx', import.meta.url),
  secure: new URL('secure/page.tsx', import.meta.url),
  confirm: new URL('confirm/page.tsx', import.meta.url),
  link: new URL('link/page.tsx', import.meta.url),
  account: new URL('account/page.tsx', import.meta.url),
  admin: new URL('admin/page.tsx', import.meta.url),
})
