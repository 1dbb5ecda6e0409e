import type { ErrorPage } from '../../lib/http/error-handler.ts'
import { fillTemplate } from '../../lib/http/fill-template.ts'
import type { Services } from '../../lib/services.ts'
import { builtPages } from './error-page.prebuilt.ts'

const texts = {
  notFound: {
    title: 'Page not found',
    message: 'There is no page at this address. The address may be incomplete, or the page may have moved.',
  },
  other: {
    title: 'This page cannot be shown',
    message: 'This address is meant for programs and has no page.',
  },
} as const

/** The page for people who opened an address in a browser that no page has. Nothing of the address is shown. */
export const unmatchedErrorPage =
  ({ config }: Services): ErrorPage =>
  ({ code, requestId }) => {
    const { html, headers } = builtPages.error
    const { title, message } = code === 'not_found' ? texts.notFound : texts.other
    return { html: fillTemplate(html, { title, message, signInUrl: config.signInUrl, requestId }), headers }
  }
