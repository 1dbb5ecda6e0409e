import type { DeviceCookie, RequestContext } from '../../accounts/callers/request-context.ts'
import { auditRefusedAnswer } from '../../accounts/events/refusals.ts'
import { createDeviceCookie } from '../../http/device-cookie.ts'
import { notFound, requireFound } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Services } from '../../services.ts'
import { type Completion, completeAnswer, toRedirect } from './complete-answer.part.ts'
import { type AnswerUse, type ConnectionContext, getConnectionTarget } from './connection-context.ts'
import { createConnectionError } from './errors.ts'
import { requireSameBrowser } from './flow-browser.part.ts'
import { findConnectionAndFlow, type SignInFlow, takeFlow } from './flows.records.ts'
import { type Connection, type ConnectionKind, findConnectionOf } from './records.ts'
import { addRetryPath, buildStartPath, leadToProof } from './retry-path.ts'
import type { Received, SignInProtocol } from './sign-in-protocol.ts'

/** The request by which a browser brings an answer. */
interface AnswerRequest {
  readonly params: { readonly id: number }
  readonly cookies: readonly string[]
  readonly context: RequestContext
}

/**
 * Receives the answer of an identity provider. It opens a session or links an account. Then the browser is redirected to
 * where its sign-in ends, and sends the new session cookie there.
 *
 * The same browser must have started the sign-in, so that an attacker cannot sign a user in to another account. The sign-in is
 * then used up, whether the answer is valid or not. Only after that is the answer checked.
 *
 * @throws AppError `not_found`, or `login_failed` with the reason
 */
export const receiveAnswer = async <Record extends Connection, Answer>(
  protocol: SignInProtocol<Record, Answer>,
  { params, cookies, context }: AnswerRequest,
  services: Services,
  answer: Answer,
) => {
  const { table, config } = services
  const { connection, flow } = await find(table, protocol.stored, params.id, protocol.nameFlow(answer))
  const restarted = flow ? undefined : protocol.restart?.(services, connection, answer, cookies)
  if (restarted) return restarted
  return auditRefusedAnswer(
    services,
    context,
    { target: getConnectionTarget(connection) },
    async (noteProof) => {
      if (!flow)
        throw createConnectionError(
          'login_failed',
          connection,
          'unsolicited',
          protocol.explainUnsolicited(answer),
        )
      const browserSecret = requireSameBrowser(services, connection, cookies, flow)
      const signIn = {
        ...{ services, provider: connection, isPaid: flow.isPaid },
        context: { ...context, device: getDevice(flow) },
      }
      await useUp(services, connection, flow)
      // Until a link was used up, the holder of the link alone decides about the identity provider.
      if (connection.setup && !flow.isTest) throw notFound('connection')
      const received = { answer, flow, browserSecret }
      try {
        const result = flow.isTest
          ? await endTest(protocol, signIn, received)
          : await endSignIn(protocol, signIn, { ...received, noteProof }, cookies)
        return toRedirect(config, result, { cookies, browser: browserSecret })
      } catch (error) {
        const path = buildStartPath(connection, flow)
        const redirect = leadToProof(config, error, path)
        if (redirect) return redirect
        throw addRetryPath(error, path)
      }
    },
  )
}

interface Found<Record> {
  readonly connection: Record
  /** The sign-in that an answer names, whether it is still pending or not. */
  readonly flow: SignInFlow | undefined
}

const find = async <Record extends Connection>(
  table: Table,
  kind: ConnectionKind<Record>,
  connectionId: number,
  name: string | undefined,
): Promise<Found<Record>> => {
  if (name === undefined)
    return {
      connection: requireFound(await findConnectionOf(table, kind, connectionId), 'connection'),
      flow: undefined,
    }
  const [connection, flow] = await findConnectionAndFlow(table, kind, connectionId, name)
  return { connection: requireFound(connection, 'connection'), flow }
}

/**
 * Browsers send their device cookie to the start of a sign-in, but not always with an answer that another site makes them bring.
 * The flow cookie proves that it is the same browser.
 */
const getDevice = ({ device }: SignInFlow): DeviceCookie =>
  device === undefined ? createDeviceCookie() : { hash: device }

/** Uses the sign-in. Of any number of concurrent answers, one counts. */
const useUp = async ({ table, now }: Services, connection: Connection, flow: SignInFlow): Promise<void> => {
  if (await takeFlow(table, connection.id, flow.id, now())) return
  const sentence = 'The sign-in has already ended or took too long. Sign in again.'
  const tooLate = createConnectionError('login_failed', connection, 'used_or_late', sentence)
  throw addRetryPath(tooLate, buildStartPath(connection, flow))
}

/** Loaded on demand, because only administrators test a connection. */
const endTest = async <Record extends Connection, Answer>(
  protocol: SignInProtocol<Record, Answer>,
  { services, provider }: ConnectionContext<Record>,
  received: Received<Answer>,
): Promise<Completion> => {
  const { completeTest } = await import('./complete-test.part.ts')
  const found = await protocol.diagnose(services, provider, received)
  return { location: await completeTest(services, provider, received.flow, found), cookies: [] }
}

/** The sign-in was used up before its answer was checked. So nothing else has to be. */
const usedBefore: AnswerUse = { reserve: async () => {}, buildSteps: () => [] }

const endSignIn = async <Record extends Connection, Answer>(
  protocol: SignInProtocol<Record, Answer>,
  signIn: ConnectionContext<Record>,
  { noteProof, ...received }: Received<Answer> & { readonly noteProof: () => void },
  cookies: readonly string[],
): Promise<Completion> => {
  const { identity, use = usedBefore, owner } = await protocol.check(signIn, received)
  noteProof()
  return completeAnswer({ ...signIn, use }, { identity, flow: received.flow }, cookies, owner)
}
