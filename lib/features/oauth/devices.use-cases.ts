import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { consume } from '../../accounts/callers/throttle.ts'
import { choosePageLanguage } from '../../http/page.ts'
import type { UseCase } from '../../http/use-case.ts'
import { oauthDeviceMs, oauthDevicePollMs } from '../../kernel/limits/limits.ts'
import { hashCredential } from '../../kernel/secrets/credentials.ts'
import { getUserinfoAudience } from '../../kernel/settings/jwt-audiences.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { listParameters } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { authenticateClient, readClientProof, refuseClient } from './authenticate-client.ts'
import type { ClientRecord } from './clients.records.ts'
import { approveDevice, denyDevice, findWaitingDevice, type WaitingDevice } from './devices/decide-device.ts'
import {
  buildDeviceUrl,
  createDeviceSecret,
  createUserCode,
  formatDeviceCode,
  formatUserCode,
  readUserCode,
} from './devices/device-code.ts'
import type { DeviceAuthorization } from './devices.models.ts'
import { storeOAuthDevice } from './devices.records.ts'
import type { OAuthError } from './flow.models.ts'
import { hasEndedAccess, isSignedIn } from './grants.ts'
import type { oidc } from './operations.ts'
import { findApisOfScopes, listResources, listScopes, toResource } from './resources.ts'

/** Gives a device of a client the codes by which its user signs in. */
export const startDeviceAuthorization: UseCase<typeof oidc.startDeviceAuthorization> = async (
  { body, authorizationHeader, context },
  services,
) => {
  const form: Partial<typeof body> = listParameters(body)
  await countDeviceStart(services, context)
  const client = await authenticateClient(services, readClientProof(form, authorizationHeader), context)
  if (!client) return refuseClient(services, context)
  const answer = await startDevice(services, client, form)
  return 'error' in answer ? { status: 400, body: answer } : { status: 200, body: answer }
}

interface PageRequest {
  readonly principal: SessionPrincipal | undefined
  readonly context: RequestContext
  readonly cookies: readonly string[]
}

/** Shows the page on which a user enters the code of their device. A code in the address still has to be sent by the user. */
export const showDevicePage: UseCase<typeof oidc.showDevicePage> = async (request, services) => {
  const { query } = request
  const user = findUser(request)
  if (!user) return leadToSignIn(services, query.user_code)
  return await showEntry(request, services, user, { typed: query.user_code })
}

/** Shows which app waits for the code that the user entered, so that they see whose code it is. */
export const enterDeviceCode: UseCase<typeof oidc.enterDeviceCode> = async (request, services) => {
  const { body, context } = request
  const typed = body.user_code ?? ''
  const user = findUser(request)
  if (!user) return leadToSignIn(services, typed)
  const found = await findWaitingDevice(services, { principal: user, context }, typed)
  if (!found) return await showEntry(request, services, user, { typed, isWrong: true })
  if (hasEndedAccess(user, found.client)) return leadToSignIn(services, typed, 'login')
  const page = await ask(request, services, user, found, undefined)
  return page ?? (await showEntry(request, services, user, { typed }))
}

/** Lets the device sign in as the user, or refuses it. */
export const answerDevice: UseCase<typeof oidc.answerDevice> = async (request, services) => {
  const { body, context } = request
  const typed = body.user_code ?? ''
  const user = findUser(request)
  if (!user) return leadToSignIn(services, typed)
  const decider = { principal: user, context }
  const found = await findWaitingDevice(services, decider, typed)
  if (!found) return await showEntry(request, services, user, { typed, isWrong: true })
  const isApproved = body.answer === 'continue'
  if (isApproved && hasEndedAccess(user, found.client)) return leadToSignIn(services, typed, 'login')
  const page = await ask(request, services, user, found, body.shown)
  if (page) return page
  const decide = isApproved ? approveDevice : denyDevice
  const outcome = await decide(services, decider, found)
  if (outcome === 'ended') return leadToSignIn(services, typed, 'login')
  if (outcome === 'late') return await showEntry(request, services, user, { typed, isWrong: true })
  const { buildDonePage } = await import('./device.page.ts')
  return {
    status: 200,
    ...(await buildDonePage(services, chooseLanguage(request, user), found.client, isApproved)),
  }
}

const ask = async (
  request: PageRequest,
  services: Services,
  user: SessionPrincipal,
  found: WaitingDevice,
  shown: string | undefined,
) => {
  const { askAboutDevice } = await import('./device.page.ts')
  return askAboutDevice(services, chooseLanguage(request, user), user, found, shown)
}

/** Who an authorization would accept as signed in. */
const findUser = ({ principal }: PageRequest): SessionPrincipal | undefined =>
  principal && isSignedIn(principal) ? principal : undefined

const chooseLanguage = ({ context, cookies }: PageRequest, { user }: SessionPrincipal) =>
  choosePageLanguage({
    query: {},
    cookies,
    userLanguage: user.language,
    acceptLanguage: context.language,
  })

const showEntry = async (
  request: PageRequest,
  services: Services,
  user: SessionPrincipal,
  { typed = '', isWrong = false }: { readonly typed?: string | undefined; readonly isWrong?: boolean },
) => {
  const userCode = readUserCode(typed)
  // Loaded on demand, because most requests of the function are not about pages.
  const { buildEntryPage } = await import('./device.page.ts')
  const page = await buildEntryPage(services, chooseLanguage(request, user), {
    typed: userCode === undefined ? undefined : formatUserCode(userCode),
    isWrong,
  })
  return { status: 200, ...page } as const
}

/** Leads to the sign-in page, which returns to the page with the code. */
const leadToSignIn = ({ config }: Services, typed = '', prompt?: 'login') => {
  const url = new URL(config.signInUrl)
  url.searchParams.set('return_to', buildDeviceUrl(config, readUserCode(typed)))
  if (prompt) url.searchParams.set('prompt', prompt)
  return { status: 303, headers: { location: url.href } } as const
}

/** What a device asks for. */
interface DeviceRequest {
  readonly scope?: string | undefined
  readonly resource?: string | undefined
}

/** Counts a device that wants to start. @throws AppError `too_many_requests` */
const countDeviceStart = (services: Services, { address }: RequestContext): Promise<unknown> =>
  consume(services, 'deviceStartsPerNetwork', getNetwork(address))

/**
 * Lets a device of a client wait for its user. Returns its codes, or the error of the protocol.
 *
 * @throws AppError `too_many_requests` if too many devices of the client start
 */
const startDevice = async (
  services: Services,
  client: ClientRecord,
  { scope = 'openid', resource: named }: DeviceRequest,
): Promise<DeviceAuthorization | OAuthError> => {
  const scopes = [...new Set(scope.split(' ').filter((name) => name !== ''))]
  const resource = named ?? findResource(services, client, scopes)
  const refused = findRefusal(services, client, scopes, resource)
  if (refused) return refused
  await consume(services, 'deviceStartsPerClient', String(client.id))
  const createdAt = services.now()
  const secret = createDeviceSecret()
  const userCode = await storeWithFreeCode(services, {
    clientId: client.clientId,
    secretHash: hashCredential(secret),
    scopes,
    resource,
    createdAt,
    expiresAt: createdAt + oauthDeviceMs,
    intervalMs: oauthDevicePollMs.first,
  })
  return {
    device_code: formatDeviceCode({ userCode, secret }),
    user_code: formatUserCode(userCode),
    verification_uri: buildDeviceUrl(services.config),
    verification_uri_complete: buildDeviceUrl(services.config, userCode),
    expires_in: oauthDeviceMs / 1000,
    interval: oauthDevicePollMs.first / 1000,
  }
}

/** The API whose scopes a request names, or else userinfo. With scopes of several APIs, the first is refused the others. */
const findResource = ({ config }: Services, client: ClientRecord, scopes: readonly string[]): string => {
  const [api] = findApisOfScopes(client, scopes)
  return api ? toResource(api.audience) : getUserinfoAudience(config.publicUrl)
}

const findRefusal = (
  { config }: Services,
  client: ClientRecord,
  scopes: readonly string[],
  resource: string,
): OAuthError | undefined => {
  if (!client.device_authorization)
    return { error: 'unauthorized_client', error_description: 'The client may not sign users in on devices.' }
  if (!listResources(config, client).has(resource))
    return { error: 'invalid_target', error_description: 'The client may not ask for this resource.' }
  const allowed = listScopes(client, resource)
  if (!scopes.every((name) => allowed.includes(name)))
    return { error: 'invalid_scope', error_description: 'The client may not ask for all of these scopes.' }
  return undefined
}

/** One of 25 billion codes is hardly ever in use. */
const attempts = 3

const storeWithFreeCode = async (
  { table }: Services,
  device: Parameters<typeof storeOAuthDevice>[2],
): Promise<string> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const userCode = createUserCode()
    if (await storeOAuthDevice(table, userCode, device)) return userCode
  }
  throw new Error('There is no free user code.')
}
