import type { Config } from '../../lib/core/config.ts'
import type { ErrorPage } from '../../lib/http/answer-errors.ts'
import { escapeHtml, setPage } from '../../lib/http/page.ts'

/**
 * What went wrong, for somebody on the way to or from an identity provider, with a way to try again: the one that the
 * refusal names, else the plain start of a sign-in with the same provider.
 */
export const samlErrorPage =
  ({ signInUrl }: Config): ErrorPage =>
  ({ title, detail, errors = [], requestId, tryAgain }, { rawPath }) => {
    const start = tryAgain === undefined ? startOf(rawPath) : tryAgain
    const faults = errors.map(({ field, message }) => `<li>${escapeHtml(`${field} ${message}`)}</li>`)
    const content = [
      `<p role="alert">${escapeHtml(detail)}</p>`,
      ...(faults.length > 0 ? [`<ul>${faults.join('')}</ul>`] : []),
      ...(start === null ? [] : [`<p><a href="${escapeHtml(start)}">Try again</a></p>`]),
      `<p><a href="${escapeHtml(signInUrl)}">Go to the sign-in page</a></p>`,
      `<p><small>Request ${escapeHtml(requestId)}</small></p>`,
    ]
    return setPage(title, content.join('\n'))
  }

const startOf = (path: string): string | null =>
  /^(\/api\/2\/auth\/saml\/\d{1,10}\/sso)(?:\/return)?$/.exec(path.replace(/\/assertion$/, '/sso'))?.[1] ??
  null
