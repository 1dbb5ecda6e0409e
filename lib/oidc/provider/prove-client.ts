import type { Services } from '../../services.ts'
import type { OidcClient } from '../../store/oidc/clients.ts'
import { authenticateClient, type ClientForm, readClientProof } from '../authenticate-client.ts'
import { listParameters } from '../list-parameters.ts'

/** A form for the library, with the client that proved who it is by an assertion. */
interface ProvenForm {
  readonly form: Readonly<Record<string, string>>
  readonly provenClient?: OidcClient
}

/**
 * Verifies the assertion of a request, if it has one. The library knows the methods with a secret, and asks this service
 * whether the secret is right. Undefined for an assertion that proves nothing.
 */
export const proveClient = async (
  services: Services,
  given: ClientForm & Readonly<Record<string, string | undefined>>,
  authorizationHeader: string | undefined,
): Promise<ProvenForm | undefined> => {
  const { client_assertion: assertion, client_assertion_type: type, ...form } = listParameters(given)
  if (assertion === undefined && type === undefined) return { form }
  const provenClient = await authenticateClient(services, readClientProof(given, authorizationHeader))
  if (!provenClient) return undefined
  const { clientId } = provenClient
  return { provenClient, form: { ...form, client_id: clientId, client_secret: 'proven by an assertion' } }
}
