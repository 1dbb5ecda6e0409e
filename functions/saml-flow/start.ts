import { requireProvider } from '../../lib/accounts/saml/require-provider.ts'
import { startSignIn } from '../../lib/accounts/saml/start-sign-in.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { notFound } from '../../lib/errors/errors.ts'
import { createFlowCookie } from '../../lib/http/flow-cookie.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { prepareStart } from './start-options.ts'

/**
 * Redirects a browser to the identity provider to sign in. Sign-in also works with `disabled_in_client`, which only
 * hides the provider in clients, because administrators must be able to test a provider first.
 */
export const startSamlAuth: UseCase<typeof samlFlow.startSamlAuth> = async (request, services) => {
  const { params, cookies } = request
  const find = () => requireProvider(services.table, params.id)
  const { connection, options } = await prepareStart(request, services, find)
  // A test signs no one in, so administrators can try a connection that is being set up.
  if (connection.setup && !options.isTest) throw notFound()
  const { value, cookie } = createFlowCookie(services.config, cookies)
  const location = await startSignIn(services, connection, value, options)
  return { status: 303, headers: { location }, cookies: [cookie] }
}
