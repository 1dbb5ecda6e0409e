import { isAbsent } from '../../kernel/table/expressions.ts'
import { oauthInteractionKey, oauthPushedRequestKey } from '../../kernel/table/keys/oauth-keys.ts'
import { createCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { toSeconds } from '../../kernel/util/time.ts'
import { hashOAuthValue } from './tokens.records.ts'

/** The parameters of an authorization that its client sent before the browser came (RFC 9126). */
interface OAuthPushedRequest {
  readonly clientId: string
  readonly parameters: Readonly<Record<string, string>>
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

const oauthPushedRequestCodec = createCodec<OAuthPushedRequest>('pushed authorization request', {
  clientId: 'string',
  parameters: 'map',
  expiresAt: 'number',
})

export const storePushedRequest = (table: Table, value: string, request: OAuthPushedRequest): Promise<void> =>
  table.reserve({
    ...oauthPushedRequestKey(hashOAuthValue(value)),
    ...oauthPushedRequestCodec.encode(request),
    expires_at: toSeconds(request.expiresAt),
  })

/**
 * Uses a pushed request of a client. Of any number of concurrent callers, one gets it. It stays for its client if another one
 * presents it.
 */
export const takePushedRequest = async (
  table: Table,
  value: string,
  { clientId, nowMs }: { readonly clientId: string; readonly nowMs: number },
): Promise<OAuthPushedRequest | undefined> => {
  const key = oauthPushedRequestKey(hashOAuthValue(value))
  const item = await table.take(key, Math.floor(nowMs / 1000), { clientId })
  const request = oauthPushedRequestCodec.decodeOptional(item)
  return request && nowMs < request.expiresAt ? request : undefined
}

/** Builds the step that completes an interaction. Of any number of transactions with it, one succeeds. */
export const buildCompletionStep = (
  { id, expiresAt }: { readonly id: string; readonly expiresAt: number },
  orElse: () => Error,
): Step => ({
  put: { ...oauthInteractionKey(hashOAuthValue(id)), expires_at: toSeconds(expiresAt) },
  condition: isAbsent,
  orElse,
})
