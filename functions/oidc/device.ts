import type { oidc } from '../../lib/contract/operations/oidc.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { authenticateClient, readClientProof } from '../../lib/oidc/authenticate-client.ts'
import { refuseClient } from '../../lib/oidc/client-refusal.ts'
import { countDeviceStart, startDevice } from '../../lib/oidc/devices/start-device.ts'
import { listParameters } from '../../lib/oidc/list-parameters.ts'

/** Gives a device of a client the codes by which its user signs in. */
export const startDeviceAuthorization: UseCase<typeof oidc.startDeviceAuthorization> = async (
  { body, authorizationHeader, context },
  services,
) => {
  const form: Partial<typeof body> = listParameters(body)
  await countDeviceStart(services, context)
  const client = await authenticateClient(services, readClientProof(form, authorizationHeader))
  if (!client) return refuseClient(services, context)
  const answer = await startDevice(services, client, form)
  return 'error' in answer ? { status: 400, body: answer } : { status: 200, body: answer }
}
