import { findNamedFlow } from '../../lib/accounts/saml/named-flow.ts'
import { requireProvider } from '../../lib/accounts/saml/require-provider.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { diagnose } from './diagnosis.ts'

/**
 * Shows administrators how a SAML response would be validated. If the response belongs to a sign-in that started here, it is
 * checked against that sign-in.
 */
export const diagnoseSamlResponse: UseCase<typeof samlFlow.diagnoseSamlResponse> = async (
  { params, body },
  services,
) => {
  const provider = await requireProvider(services.table, params.id)
  const posted = { response: body.saml_response, relayState: body.relay_state ?? '' }
  const flow = (await findNamedFlow(services.table, provider.id, posted))?.flow
  return { status: 200, body: await diagnose(services, provider, body.saml_response, flow) }
}
