import { createHash } from 'node:crypto'
import { AppError } from '../../lib/core/errors.ts'
import type { ProviderRun } from '../../lib/oidc/provider/run.ts'
import type { ProviderResponse } from '../../lib/oidc/provider/run-provider.ts'

/**
 * Converts the answer of the library to an authorization. The browser gets `cookies` with it.
 *
 * @throws AppError `invalid_request` for an error that cannot be sent to the client, because its address is not known to be its own
 */
export const toAuthorizationReply = (
  { refusal }: ProviderRun,
  { headers, body }: ProviderResponse,
  cookies: readonly string[],
) => {
  if (refusal)
    throw new AppError('invalid_request', {
      reason: 'authorization_refused',
      detail: [refusal.error, refusal.description].filter((text) => text !== undefined).join(': '),
      tryAgain: null,
    })
  const { location } = headers
  if (location !== undefined) return { status: 303, headers: { location }, cookies } as const
  return { status: 200, body, headers: allowScript(body), cookies } as const
}

/** For `response_mode=form_post`: the page of the library sends its form by a script, and the client may run in a popup. */
const allowScript = (html: string): Record<string, string> => {
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  return {
    'content-security-policy': `default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`,
    'cross-origin-opener-policy': 'unsafe-none',
  }
}
