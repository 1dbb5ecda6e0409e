import { getGroupPermissions } from '../../accounts/callers/permissions.ts'
import type { Principal } from '../../accounts/callers/principal.ts'
import { isLimitedToSetup } from '../../accounts/sessions/session-rules.ts'
import { readPendingClient } from '../../http/oauth-cookie.ts'
import type { UseCase } from '../../http/use-case.ts'
import {
  consolePermissions,
  type PageAccount,
  type PageData,
  signInProvidersMax,
} from '../../kernel/contract/page-data.ts'
import { AppError, notFound } from '../../kernel/errors/errors.ts'
import { signInOptionsCacheMs, signInOptionsReadMs } from '../../kernel/limits/limits.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { Services } from '../../services.ts'
import { createKeptRead, limitWait } from '../branding/kept-read.ts'
import { readPageEntries } from '../connections/page-entries.records.ts'
import { getStartPath } from '../connections/retry-path.ts'
import { findSignInOffers } from '../invitations/sign-up.records.ts'
import { type ClientRecord, findClient } from '../oauth/clients.records.ts'
import { buildInteractionPath } from '../oauth/provider/provider-paths.ts'
import { canHavePasskeys } from '../passkeys/passkey-rights.ts'
import { requireReturnUrl } from '../sign-in/destinations.ts'
import { isLimitedToOrganizations } from '../sign-in/organization-sessions.ts'
import { buildOwnProfile } from '../sign-in/own-profile.ts'
import type { ExtraData, PageRequest } from './app.page.ts'
import { favicon } from './favicon.prebuilt.ts'
import type { pages } from './operations.ts'

/** Reads what the sign-in page offers, so that nothing on it moves later. Without an answer, people still have the form. */
export const readSignInData = async (request: PageRequest, services: Services): Promise<ExtraData> => {
  const [
    { providers, hasDomains } = noProviders,
    { allowsEmailCodes, passkeysOnly, signUp } = noOffers,
    canAdminister,
    returnTarget,
  ] = await Promise.all([
    getProviders(services),
    getOffers(services),
    mayAdminister(request, services),
    resolveTarget(request, services),
  ])
  return { providers, hasDomains, allowsEmailCodes, passkeysOnly, signUp, canAdminister, returnTarget }
}

const times = { keptMs: signInOptionsCacheMs, waitMs: signInOptionsReadMs }

/** What the page has to know about identity providers, in one call. */
const getProviders = createKeptRead(
  'sign_in_providers',
  async ({ table }): Promise<Pick<PageData, 'providers' | 'hasDomains'>> => {
    const { entries, hasDomains } = await readPageEntries(table, signInProvidersMax)
    const { compare } = new Intl.Collator('en')
    const providers = entries.map((entry) => ({
      id: entry.id,
      name: entry.name,
      startPath: getStartPath(entry),
      ...(entry.preset !== undefined && { preset: entry.preset }),
    }))
    return { providers: providers.sort((a, b) => compare(a.name, b.name)), hasDomains }
  },
  times,
)

/** What the policies of sign-in and sign-up offer, in one call. Without email, no one can sign up. */
const getOffers = createKeptRead(
  'sign_in_policy',
  async ({ table, config }): Promise<Pick<PageData, 'allowsEmailCodes' | 'passkeysOnly' | 'signUp'>> => {
    const { signIn, signUp: policy } = await findSignInOffers(table)
    return {
      allowsEmailCodes: signIn?.allow_email_codes ?? false,
      passkeysOnly: signIn?.passkeys_only ?? false,
      signUp:
        policy && policy.mode !== 'off' && config.mailFrom !== undefined
          ? { domains: policy.mode === 'open' ? [] : policy.domains }
          : null,
    }
  },
  times,
)

const noProviders = { providers: [], hasDomains: false }
const noOffers = { allowsEmailCodes: false, passkeysOnly: false, signUp: null }

/** Reads what the sign-up page says of the policy. */
export const readSignUpData = async (_: PageRequest, services: Services): Promise<ExtraData> => ({
  signUp: (await getOffers(services))?.signUp ?? null,
})

/** Whether the user has a permission of the console, also from a group. The groups are read if their own permissions do not decide. */
const mayAdminister = async ({ principal }: PageRequest, { table }: Services): Promise<boolean> => {
  if (!principal || isLimitedToSetup(principal) || principal.session?.accessLink) return false
  const { user } = principal
  const opensConsole = (permission: string) => consolePermissions.includes(permission)
  return user.permissions.some(opensConsole) || (await getGroupPermissions(table, user)).some(opensConsole)
}

/**
 * Names where the page leads to: by the OpenID Connect client that waits for the sign-in, by the product with this origin
 * in the setting for access links, or by its host.
 */
const resolveTarget = async (
  { query, cookies }: PageRequest,
  services: Services,
): Promise<PageData['returnTarget']> => {
  const { config } = services
  const url = readReturnUrl(config, query['return_to'])
  if (!(url instanceof URL)) return url
  const { origin, host } = url
  const client = await findPendingClient(services, url, cookies)
  if (client) return { name: client.name, isExternal: true }
  const product = config.linkProducts.find((one) => URL.parse(one.url)?.origin === origin)
  return { name: product?.name ?? host, isExternal: origin !== config.publicUrl }
}

const readReturnUrl = (config: Config, returnTo: unknown): URL | 'refused' | null => {
  if (typeof returnTo !== 'string') return null
  try {
    return requireReturnUrl(config, returnTo)
  } catch (error) {
    if (error instanceof AppError) return 'refused'
    throw error
  }
}

/**
 * Finds the OpenID Connect client whose authorization continues at `returnUrl`. Only the browser that started the
 * authorization gets it, so that no one can choose for others what the page says. It never fails and waits a moment at
 * most: without an answer of the table, there is no client.
 */
const findPendingClient = async (
  services: Services,
  returnUrl: URL,
  cookies: readonly string[],
): Promise<ClientRecord | undefined> => {
  const { config, table, log, now } = services
  const pending = readPendingClient(config, cookies)
  if (!pending || pending.expiresAt <= now()) return undefined
  if (returnUrl.href !== config.publicUrl + buildInteractionPath(pending)) return undefined
  try {
    return await limitWait(findClient(table, pending.clientId), signInOptionsReadMs)
  } catch (error) {
    log.warn('pending_client.not_read', { error })
    return undefined
  }
}

/**
 * Reads who uses the console, and which providers the sign-in page shows, so that the console can explain why another one is
 * left out.
 */
export const readConsole = async ({ principal }: PageRequest, services: Services): Promise<ExtraData> => ({
  providers: (await getProviders(services))?.providers ?? [],
  account: principal ? await buildAccount(principal, services) : null,
})

/** Reads what the account page shows at first. Guests get nothing, because their account is only a link, and neither does the sign-in of an organization. */
export const readAccount = async ({ principal }: PageRequest, services: Services): Promise<ExtraData> => {
  if (!principal || principal.session?.accessLink || isLimitedToOrganizations(principal)) return {}
  return { account: await buildAccount(principal, services) }
}

const buildAccount = async (principal: Principal, { table }: Services): Promise<PageAccount> => ({
  profile: await buildOwnProfile(table, principal),
  canHavePasskeys: canHavePasskeys(principal.user),
  hidesOnboarding: principal.user.hidesOnboarding === true,
})

/** Answers with a script of the pages. Loaded on demand, because the pages themselves do not need the content. */
export const getScript: UseCase<typeof pages.getScript> = async ({ params: { folder, name } }) => {
  const { findScript } = await import('./find-file.ts')
  return toReply(`${folder}/${name}`, await findScript(folder, name))
}

export const getStylesheet: UseCase<typeof pages.getStylesheet> = async ({ params: { name } }) => {
  const { findStylesheet } = await import('./find-file.ts')
  return toReply(name, await findStylesheet(name))
}

/** The name contains a hash of the content, so browsers and CDNs keep the file without asking again. */
const toReply = (name: string, body: string | undefined) => {
  if (body === undefined) throw notFound('file', 'Load the page again.')
  const headers = { 'cache-control': 'public, max-age=31536000, immutable', etag: `W/"${name}"` }
  return { status: 200 as const, body, headers }
}

const icon = Buffer.from(favicon, 'base64')

/** Browsers request the icon on their own for every address of the service, so they keep it for a week. */
export const getFavicon: UseCase<typeof pages.getFavicon> = async () => ({
  status: 200,
  headers: { 'cache-control': 'public, max-age=604800, immutable' },
  body: icon,
})

/** Answers with the licenses of what browsers load. Loaded on demand, because hardly anybody asks. */
export const getLicenses: UseCase<typeof pages.getLicenses> = async () => {
  const { licenses } = await import('./licenses.prebuilt.ts')
  return { status: 200, headers: { 'cache-control': 'public, max-age=3600' }, body: licenses }
}

/** Pages have nothing to search for, and links in emails are for their recipients alone. */
export const getRobots: UseCase<typeof pages.getRobots> = async () => ({
  status: 200,
  headers: { 'cache-control': 'public, max-age=86400' },
  body: 'User-agent: *\nDisallow: /\n',
})
