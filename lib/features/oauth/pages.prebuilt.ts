import { buildPages } from '../../../build/pages/build-pages.ts'

export const builtPages = buildPages({
  consent: new URL('../../../web/consent/page.html', import.meta.url),
  deviceConfirm: new URL('../../../web/device/confirm.html', import.meta.url),
  deviceDone: new URL('../../../web/device/done.html', import.meta.url),
  deviceEntry: new URL('../../../web/device/entry.html', import.meta.url),
  error: new URL('../../../web/error/page.html', import.meta.url),
  organizationChoice: new URL('../../../web/organization-choice/page.html', import.meta.url),
  signOut: new URL('../../../web/sign-out/page.html', import.meta.url),
})
