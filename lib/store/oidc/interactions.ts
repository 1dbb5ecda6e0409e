import { toSeconds } from '../../util/time.ts'
import { isAbsent } from '../engine/expressions.ts'
import type { Step } from '../engine/transaction.ts'
import { oidcInteractionKey } from '../keys/oidc-keys.ts'
import { hashOidcValue } from './tokens.ts'

/** Builds the step that completes an interaction. Of any number of transactions with it, one succeeds. */
export const buildCompletionStep = (
  { id, expiresAt }: { readonly id: string; readonly expiresAt: number },
  orElse: () => Error,
): Step => ({
  put: { ...oidcInteractionKey(hashOidcValue(id)), expires_at: toSeconds(expiresAt) },
  condition: isAbsent,
  orElse,
})
