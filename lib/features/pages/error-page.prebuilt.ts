import { buildPages } from '../../../build/pages/build-pages.ts'

export const builtPages = buildPages({ error: new URL('../../../web/error/page.html', import.meta.url) })
