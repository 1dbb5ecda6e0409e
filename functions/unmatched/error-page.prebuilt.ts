import { buildPages } from '../../infra/pages/build-pages.ts'

export const builtPages = buildPages({ error: new URL('../pages/error/page.html', import.meta.url) })
