import type { oidc } from '../../lib/contract/operations/oidc.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { authenticateClient } from '../../lib/oidc/authenticate-client.ts'
import { refuseClient } from '../../lib/oidc/client-refusal.ts'
import { countDeviceStart, startDevice } from '../../lib/oidc/devices/start-device.ts'
import { listParameters } from '../../lib/oidc/list-parameters.ts'

/** Gives a device of a client the codes by which its user signs in. */
export const startDeviceAuthorization: UseCase<typeof oidc.startDeviceAuthorization> = async (
  { body, authorizationHeader, context },
  services,
) => {
  const { client_id: clientId, client_secret: clientSecret, scope, resource } = listParameters(body)
  await countDeviceStart(services, context)
  const client = await authenticateClient(services, { authorizationHeader, clientId, clientSecret })
  if (!client) return refuseClient(services, context)
  const answer = await startDevice(services, client, { scope, resource })
  return 'error' in answer ? { status: 400, body: answer } : { status: 200, body: answer }
}
