import { buildPages } from '../../infra/pages/build-pages.ts'

export const builtPages = buildPages({
  link: new URL('link/page.html', import.meta.url),
})
