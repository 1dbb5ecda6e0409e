import type { RequestContext } from '../../accounts/common/request-context.ts'
import { consume } from '../../accounts/common/throttle.ts'
import type { DeviceAuthorization } from '../../contract/models/oidc/oidc-devices.ts'
import type { OAuthError } from '../../contract/models/oidc-flow.ts'
import { oidcDeviceMs, oidcDevicePollMs } from '../../limits/limits.ts'
import { hashCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { getUserinfoAudience } from '../../settings/jwt-audiences.ts'
import type { OidcClient } from '../../store/oidc/clients.ts'
import { storeOidcDevice } from '../../store/oidc/devices.ts'
import { getNetwork } from '../../util/network.ts'
import { findApisOfScopes, listResources, listScopes, toResource } from '../resources.ts'
import {
  buildDeviceUrl,
  createDeviceSecret,
  createUserCode,
  formatDeviceCode,
  formatUserCode,
} from './device-code.ts'

/** What a device asks for. */
export interface DeviceRequest {
  readonly scope?: string | undefined
  readonly resource?: string | undefined
}

/** Counts a device that wants to start. @throws AppError `too_many_requests` */
export const countDeviceStart = (services: Services, { address }: RequestContext): Promise<unknown> =>
  consume(services, 'deviceStartsPerNetwork', getNetwork(address))

/**
 * Lets a device of a client wait for its user. Returns its codes, or the error of the protocol.
 *
 * @throws AppError `too_many_requests` if too many devices of the client start
 */
export const startDevice = async (
  services: Services,
  client: OidcClient,
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
    ...{ clientId: client.clientId, secretHash: hashCredential(secret), scopes, resource, createdAt },
    expiresAt: createdAt + oidcDeviceMs,
    intervalMs: oidcDevicePollMs.first,
  })
  return {
    device_code: formatDeviceCode({ userCode, secret }),
    user_code: formatUserCode(userCode),
    verification_uri: buildDeviceUrl(services.config),
    verification_uri_complete: buildDeviceUrl(services.config, userCode),
    expires_in: oidcDeviceMs / 1000,
    interval: oidcDevicePollMs.first / 1000,
  }
}

/** The API whose scopes a request names, or else userinfo. With scopes of several APIs, the first is refused the others. */
const findResource = ({ config }: Services, client: OidcClient, scopes: readonly string[]): string => {
  const [api] = findApisOfScopes(client, scopes)
  return api ? toResource(api.audience) : getUserinfoAudience(config.publicUrl)
}

const findRefusal = (
  { config }: Services,
  client: OidcClient,
  scopes: readonly string[],
  resource: string,
): OAuthError | undefined => {
  if (!client.deviceAuthorization)
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
  device: Parameters<typeof storeOidcDevice>[2],
): Promise<string> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const userCode = createUserCode()
    if (await storeOidcDevice(table, userCode, device)) return userCode
  }
  throw new Error('There is no free user code.')
}
