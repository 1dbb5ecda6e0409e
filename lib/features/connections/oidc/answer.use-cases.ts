import { createDeviceCookie } from '../../../http/device-cookie.ts'
import { createFlowCookie } from '../../../http/flow-cookie.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { requireFound } from '../../../kernel/errors/errors.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { Services } from '../../../services.ts'
import { auditRefusedAnswer } from '../../audit/refusals.ts'
import { type Completion, completeAnswer, toRedirect } from '../complete-answer.step.ts'
import type { AnswerContext } from '../connection-context.ts'
import { getConnectionTarget } from '../connection-context.ts'
import { createConnectionError } from '../errors.ts'
import type { connectionFlow } from '../flow.operations.ts'
import { requireSameBrowser } from '../flow-browser.step.ts'
import { findConnectionOf } from '../records.ts'
import { addRetryPath, buildStartPath } from '../retry-path.ts'
import { returnToStart } from '../return.use-cases.ts'
import { prepareStart } from '../start.use-cases.ts'
import { findOidcFlow, type OidcFlow, takeOidcFlow } from './flows.records.ts'
import type { Received } from './receive-answer.ts'
import { type OidcConnection, oidcKind } from './records.ts'
import type { completeOidcTest } from './test-answer.step.ts'

const requireConnection = async (table: Table, id: number): Promise<OidcConnection> =>
  requireFound(await findConnectionOf(table, oidcKind, id), 'connection')

/** Redirects a browser to an identity provider to sign in over OpenID Connect. */
export const startOidcSignIn: UseCase<typeof connectionFlow.startOidcSignIn> = async (request, services) => {
  const { params, query, cookies } = request
  const find = () => requireConnection(services.table, params.id)
  const { connection, options } = await prepareStart({ ...request, query }, services, find)
  const { value, cookie } = createFlowCookie(services.config, cookies)
  // Loaded on demand, because a sign-in with SAML needs none of it.
  const start = await import('./start-sign-in.ts')
  const location = await start.startOidcSignIn(services, connection, value, options)
  return { status: 303, headers: { location }, cookies: [cookie] }
}

/**
 * Receives the answer of an identity provider. It opens a session or links an account. Then the browser is redirected
 * to `return`, where it sends the new session cookie.
 */
export const receiveOidcAnswer: UseCase<typeof connectionFlow.receiveOidcAnswer> = async (
  { params, query, context, cookies },
  services,
) => {
  const { table, config } = services
  const connection = await requireConnection(table, params.id)
  return auditRefusedAnswer(
    services,
    context,
    { target: getConnectionTarget(connection) },
    async (noteProof) => {
      const flow = await findFlow(table, connection, query.state)
      const browserSecret = requireSameBrowser(services, connection, cookies, flow)
      const device = flow.device === undefined ? createDeviceCookie() : { hash: flow.device }
      const signIn = { services, provider: connection, context: { ...context, device }, use: takenBefore }
      try {
        await takeFlow(services, connection, flow)
        const received = { answer: query, flow, browserSecret }
        const result = flow.isTest
          ? await completeTest(services, connection, received)
          : await completeSignIn(signIn, connection, { ...received, noteProof }, cookies)
        return toRedirect(config, result, { cookies, browser: browserSecret })
      } catch (error) {
        throw addRetryPath(error, buildStartPath(connection, flow))
      }
    },
  )
}

const completeTest = async (...test: Parameters<typeof completeOidcTest>): Promise<Completion> => {
  const { completeOidcTest } = await import('./test-answer.step.ts')
  return { location: await completeOidcTest(...test), cookies: [] }
}

const completeSignIn = async (
  signIn: AnswerContext,
  connection: OidcConnection,
  { noteProof, ...received }: Received & { readonly noteProof: () => void },
  cookies: readonly string[],
): Promise<Completion> => {
  const { receiveAnswer } = await import('./receive-answer.ts')
  const identity = await receiveAnswer(signIn.services, connection, received)
  noteProof()
  return completeAnswer(signIn, { identity, flow: received.flow }, cookies)
}

/** The sign-in was taken before its code was exchanged. So nothing else has to be used up. */
const takenBefore: AnswerContext['use'] = { reserve: async () => {}, buildSteps: () => [] }

/** Finds the sign-in that an answer names, whether it is still pending or not. */
const findFlow = async (
  table: Table,
  connection: OidcConnection,
  state: string | undefined,
): Promise<OidcFlow> => {
  const flow = state === undefined ? undefined : await findOidcFlow(table, connection.id, state)
  if (flow) return flow
  throw createConnectionError(
    'login_failed',
    connection,
    'unsolicited',
    'The sign-in did not start at this service, or started too long ago. Start it here.',
  )
}

/** Uses the sign-in, whether the answer is valid or not. Of any number of concurrent answers, one counts. */
const takeFlow = async (
  { table, now }: Services,
  connection: OidcConnection,
  { state }: OidcFlow,
): Promise<void> => {
  if (await takeOidcFlow(table, connection.id, state, now())) return
  throw createConnectionError(
    'login_failed',
    connection,
    'used_or_late',
    'The sign-in has already ended or took too long. Sign in again.',
  )
}

/** Redirects a browser to the page where its sign-in started, like the end of a SAML sign-in. */
export const returnFromOidcSignIn: UseCase<typeof connectionFlow.returnFromOidcSignIn> = (
  request,
  services,
) => returnToStart(request, services, 'oidc')
