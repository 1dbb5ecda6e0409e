import { auditRefusedSignIn } from '../../lib/accounts/common/request-context.ts'
import type { Received } from '../../lib/accounts/connections/receive-answer.ts'
import { acceptBySaml } from '../../lib/accounts/invitations/accept-by-saml.ts'
import type { SamlAssertionContext } from '../../lib/accounts/saml/assertion-use.ts'
import { createSamlError } from '../../lib/accounts/saml/errors.ts'
import { linkAccount } from '../../lib/accounts/saml/link-account.ts'
import { resolveUser } from '../../lib/accounts/saml/resolve-user.ts'
import { addRetryPath, buildStartPath } from '../../lib/accounts/saml/retry-path.ts'
import { getConnectionTarget } from '../../lib/accounts/saml/saml-context.ts'
import { signInBySaml } from '../../lib/accounts/saml/sign-in.ts'
import { retrySignIn } from '../../lib/accounts/sign-in/complete-sign-in.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { requireFound } from '../../lib/errors/errors.ts'
import { clearFlowCookie, createFlowCookie } from '../../lib/http/flow-cookie.ts'
import { buildSignInCookies, createDeviceCookie } from '../../lib/http/request-context.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Assertion } from '../../lib/saml/assertion/read-assertion.ts'
import type { Services } from '../../lib/services.ts'
import {
  findOidcConnection,
  type OidcConnectionRecord,
} from '../../lib/store/connections/oidc-connections.ts'
import { findOidcFlow, type OidcFlow, takeOidcFlow } from '../../lib/store/connections/oidc-flows.ts'
import type { Table } from '../../lib/store/engine/table.ts'
import { requireSameBrowser } from './flow-browser.ts'
import type { completeOidcTest } from './oidc-test.ts'
import { returnToStart } from './return.ts'
import { prepareStart } from './start.ts'

const requireConnection = async (table: Table, id: number): Promise<OidcConnectionRecord> =>
  requireFound(await findOidcConnection(table, id))

/** Redirects a browser to an OpenID Connect provider to sign in. */
export const startOidcSignIn: UseCase<typeof samlFlow.startOidcSignIn> = async (request, services) => {
  const { params, query, cookies } = request
  const find = () => requireConnection(services.table, params.id)
  const { connection, options } = await prepareStart({ ...request, query }, services, find)
  const { value, cookie } = createFlowCookie(services.config, cookies)
  // Loaded on demand, because a sign-in with SAML needs none of it.
  const start = await import('../../lib/accounts/connections/start-oidc-sign-in.ts')
  const location = await start.startOidcSignIn(services, connection, value, options)
  return { status: 303, headers: { location }, cookies: [cookie] }
}

/**
 * Receives the answer of an OpenID Connect provider. It opens a session or links an account. Then the browser is redirected
 * to `return`, where it sends the new session cookie.
 */
export const receiveOidcAnswer: UseCase<typeof samlFlow.receiveOidcAnswer> = async (
  { params, query, context, cookies },
  services,
) => {
  const { table, config } = services
  const connection = await requireConnection(table, params.id)
  return auditRefusedSignIn(services, context, { target: getConnectionTarget(connection) }, async () => {
    const flow = await findFlow(table, connection, query.state)
    const browserSecret = requireSameBrowser(services, connection, cookies, flow)
    const device = flow.device === undefined ? createDeviceCookie() : { hash: flow.device }
    const saml = { services, provider: connection, context: { ...context, device }, use: takenBefore }
    try {
      await takeFlow(services, connection, flow)
      const received = { answer: query, flow, browserSecret }
      const { location, cookies: added } = flow.isTest
        ? await completeTest(services, connection, received)
        : await completeSignIn(saml, connection, received)
      return {
        status: 303,
        headers: { location },
        cookies: [...added, ...clearFlowCookie(config, cookies, browserSecret)],
      }
    } catch (error) {
      throw addRetryPath(error, buildStartPath(connection, flow))
    }
  })
}

const completeTest = async (...test: Parameters<typeof completeOidcTest>): Promise<Completed> => {
  const { completeOidcTest } = await import('./oidc-test.ts')
  return { location: await completeOidcTest(...test), cookies: [] }
}

const completeSignIn = async (
  saml: SamlAssertionContext,
  connection: OidcConnectionRecord,
  received: Received,
): Promise<Completed> => {
  const { receiveAnswer } = await import('../../lib/accounts/connections/receive-answer.ts')
  return completeFlow(saml, received.flow, await receiveAnswer(saml.services, connection, received))
}

/** Where the browser goes next, and the cookies of the session. */
interface Completed {
  readonly location: string
  readonly cookies: readonly string[]
}

/** The sign-in was taken before its code was exchanged. So nothing else has to be used up. */
const takenBefore: SamlAssertionContext['use'] = { reserve: async () => {}, buildSteps: () => [] }

/** Finds the sign-in that an answer names, whether it is still pending or not. */
const findFlow = async (
  table: Table,
  connection: OidcConnectionRecord,
  state: string | undefined,
): Promise<OidcFlow> => {
  const flow = state === undefined ? undefined : await findOidcFlow(table, connection.id, state)
  if (flow) return flow
  throw createSamlError(
    'login_failed',
    connection,
    'unsolicited',
    'The sign-in did not start at this service, or started too long ago. Start it here.',
  )
}

/** Uses the sign-in, whether the answer is valid or not. Of any number of concurrent answers, one counts. */
const takeFlow = async (
  { table, now }: Services,
  connection: OidcConnectionRecord,
  { state }: OidcFlow,
): Promise<void> => {
  if (await takeOidcFlow(table, connection.id, state, now())) return
  throw createSamlError(
    'login_failed',
    connection,
    'used_or_late',
    'The sign-in has already ended or took too long. Sign in again.',
  )
}

/** Links an account or opens a session. Returns where the browser goes next, and the cookies of the session. */
const completeFlow = async (
  saml: SamlAssertionContext,
  flow: OidcFlow,
  assertion: Assertion,
): Promise<Completed> => {
  const { services, provider, context } = saml
  const buildReturnUrl = (returnToken: string) =>
    `${services.config.publicUrl}/api/2/auth/oidc-connections/${provider.id}/return?flow=${returnToken}`
  const { link } = flow
  if (link)
    return { location: buildReturnUrl(await linkAccount(saml, assertion, { ...flow, link })), cookies: [] }
  if (flow.invitation) await acceptBySaml(saml, assertion, flow.invitation)
  const { sessionKey, returnToken } = await retrySignIn(async () =>
    signInBySaml(saml, { ...(await resolveUser(saml, assertion)), assertion, flow }),
  )
  return {
    location: buildReturnUrl(returnToken),
    cookies: buildSignInCookies(services.config, context, sessionKey),
  }
}

/** Redirects a browser to the page where its sign-in started, like the end of a SAML sign-in. */
export const returnFromOidcSignIn: UseCase<typeof samlFlow.returnFromOidcSignIn> = (request, services) =>
  returnToStart(request, services, 'oidc')
