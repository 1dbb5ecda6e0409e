import { buildPages } from '../../../build/pages/build-pages.ts'

export const builtPages = buildPages({
  question: new URL('../../../web/sign-in-question/page.html', import.meta.url),
  create: new URL('../../../web/sign-in-question/create.html', import.meta.url),
  code: new URL('../../../web/sign-in-question/code.html', import.meta.url),
  done: new URL('../../../web/sign-in-question/done.html', import.meta.url),
})
