import { buildPages } from '../../infra/pages/build-pages.ts'

export const builtPages = buildPages({
  reset: new URL('reset/page.html', import.meta.url),
  secure: new URL('secure/page.html', import.meta.url),
  confirm: new URL('confirm/page.html', import.meta.url),
  link: new URL('link/page.html', import.meta.url),
})
