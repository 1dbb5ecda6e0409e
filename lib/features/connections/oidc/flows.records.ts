import { isAbsent } from '../../../kernel/table/expressions.ts'
import { createCodec, findRecord } from '../../../kernel/table/records.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { wasCommitted } from '../../../kernel/table/transaction.ts'
import { toSeconds } from '../../../kernel/util/time.ts'
import { createOneTimeRecord, getFlowKey, type SignInFlow } from '../flows.records.ts'

/**
 * A sign-in through an OpenID Connect connection that waits for the browser. It is stored under its `state`. The nonce and
 * the code verifier are derived from the cookie of the browser, so that the table has neither.
 */
export interface OidcFlow
  extends Pick<
    SignInFlow,
    'forceAuthn' | 'startedAt' | 'returnTo' | 'browser' | 'device' | 'link' | 'isTest' | 'invitation'
  > {
  readonly state: string
  /** The issuer that the browser was sent to. An answer counts only while the connection still has it. */
  readonly issuer: string
}

const oidcFlowCodec = createCodec<OidcFlow>('OpenID Connect flow', {
  state: 'string',
  issuer: 'string',
  forceAuthn: 'boolean',
  startedAt: 'number',
  browser: 'string',
})

export const storeOidcFlow = (
  table: Table,
  connectionId: number,
  flow: OidcFlow,
  untilMs: number,
): Promise<void> =>
  table.put({
    ...getFlowKey(connectionId, 'oidc-sign-in', flow.state),
    ...oidcFlowCodec.encode(flow),
    expires_at: toSeconds(untilMs),
  })

/** Sign-ins that were started, by their `state`. */
export const { find: findOidcFlow, take: takeOidcFlow } = createOneTimeRecord('oidc-sign-in', oidcFlowCodec)

/** A logout token that arrived. */
interface ReceivedLogout {
  /** Epoch milliseconds. */
  readonly receivedAt: number
}

const receivedLogoutCodec = createCodec<ReceivedLogout>('logout token', { receivedAt: 'number' })

/** Notes that a logout token arrived, and returns when it first did: now, unless it is a repetition. */
export const noteLogoutToken = async (
  table: Table,
  connectionId: number,
  jti: string,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<number> => {
  const key = getFlowKey(connectionId, 'logout-token', jti)
  const item = {
    ...key,
    ...receivedLogoutCodec.encode({ receivedAt: nowMs }),
    expires_at: toSeconds(untilMs),
  }
  if (await wasCommitted(table.transact([{ put: item, condition: isAbsent }]))) return nowMs
  return (await findRecord(table, receivedLogoutCodec, key))?.receivedAt ?? nowMs
}
