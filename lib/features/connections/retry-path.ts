import { AppError } from '../../kernel/errors/errors.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { SignInFlow } from './flows.records.ts'
import { getProtocol } from './protocols.ts'
import type { ConnectionName } from './records.ts'

/** The path that starts a sign-in through a connection of any kind. */
export const getStartPath = (connection: ConnectionName): string =>
  getProtocol(connection).getPaths(connection.id).start

/** The URL that starts a sign-in through a company connection. Pages and clients open it as it is, and build none themselves. */
export const getLoginUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, connection: ConnectionName): string =>
  `${publicUrl}${getStartPath(connection)}`

const invitePath = '/invite'

/**
 * The path that starts a sign-in with the same options again. A sign-in for an invitation starts on its page, which keeps
 * the link of the invitation in the browser.
 */
export const buildStartPath = (
  connection: ConnectionName,
  {
    returnTo,
    forceAuthn,
    link,
    invitation,
    wantsMultiFactor,
  }: Pick<SignInFlow, 'returnTo' | 'forceAuthn' | 'link' | 'invitation'> & {
    readonly wantsMultiFactor?: boolean | undefined
  },
): string => {
  if (invitation) return invitePath
  const query = new URLSearchParams({
    ...omitUndefined({
      return_to: returnTo ?? undefined,
      force_authn: forceAuthn ? 'true' : undefined,
      link: link ? 'true' : undefined,
      multi_factor: wantsMultiFactor ? 'true' : undefined,
    }),
  }).toString()
  return `${getStartPath(connection)}${query === '' ? '' : `?${query}`}`
}

/** Adds the path to try again to an `AppError`. Returns any other error as it is. */
export const addRetryPath = (error: unknown, path: string | null): unknown =>
  error instanceof AppError ? new AppError(error.code, { ...error.details, tryAgain: path }) : error

/**
 * Leads a browser that has to prove work to the sign-in page, which makes the proof and starts the sign-in again with it. Returns
 * undefined for any other error, and for what only the person may start again.
 */
export const leadToProof = ({ publicUrl }: Pick<Config, 'publicUrl'>, error: unknown, startPath: string) => {
  if (!(error instanceof AppError) || error.details.reason !== 'proof_required') return undefined
  const { pathname, searchParams } = new URL(startPath, publicUrl)
  // Only a click on a page of the service links an account.
  if (pathname === invitePath || searchParams.has('link')) return undefined
  searchParams.set('prove', 'true')
  const start = encodeURIComponent(`${pathname}?${searchParams}`)
  return {
    status: 303,
    headers: { location: `${publicUrl}/?start=${start}` },
    cookies: [] as string[],
  } as const
}
