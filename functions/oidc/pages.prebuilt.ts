import { buildPages } from '../../infra/pages/build-pages.ts'

export const builtPages = buildPages({
  error: new URL('../pages/error/page.html', import.meta.url),
  signOut: new URL('../pages/sign-out/page.html', import.meta.url),
})
