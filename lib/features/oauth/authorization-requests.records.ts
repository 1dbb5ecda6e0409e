import { isAbsent } from '../../kernel/table/expressions.ts'
import { oidcInteractionKey, oidcPushedRequestKey } from '../../kernel/table/keys/oidc-keys.ts'
import { createCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { toSeconds } from '../../kernel/util/time.ts'
import { hashOidcValue } from './tokens.records.ts'

/** The parameters of an authorization that its client sent before the browser came (RFC 9126). */
interface OidcPushedRequest {
  readonly clientId: string
  readonly parameters: Readonly<Record<string, string>>
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

const oidcPushedRequestCodec = createCodec<OidcPushedRequest>('pushed authorization request', {
  clientId: 'string',
  parameters: 'map',
  expiresAt: 'number',
})

export const storePushedRequest = (table: Table, value: string, request: OidcPushedRequest): Promise<void> =>
  table.reserve({
    ...oidcPushedRequestKey(hashOidcValue(value)),
    ...oidcPushedRequestCodec.encode(request),
    expires_at: toSeconds(request.expiresAt),
  })

/** Uses a pushed request. Of any number of concurrent callers, one gets it. */
export const takePushedRequest = async (
  table: Table,
  value: string,
  nowMs: number,
): Promise<OidcPushedRequest | undefined> => {
  const key = oidcPushedRequestKey(hashOidcValue(value))
  const request = oidcPushedRequestCodec.decodeOptional(await table.take(key, Math.floor(nowMs / 1000)))
  return request && nowMs < request.expiresAt ? request : undefined
}

/** Builds the step that completes an interaction. Of any number of transactions with it, one succeeds. */
export const buildCompletionStep = (
  { id, expiresAt }: { readonly id: string; readonly expiresAt: number },
  orElse: () => Error,
): Step => ({
  put: { ...oidcInteractionKey(hashOidcValue(id)), expires_at: toSeconds(expiresAt) },
  condition: isAbsent,
  orElse,
})
