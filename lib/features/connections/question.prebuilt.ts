import { buildPages } from '../../../build/pages/build-pages.ts'

export const builtPages = buildPages({
  question: new URL('../../../web/sign-in-question/page.html', import.meta.url),
  done: new URL('../../../web/sign-in-question/done.html', import.meta.url),
})
