import { toSeconds } from '../../util/durations.ts'
import { isAbsent } from '../engine/expressions.ts'
import { oidcInteractionKey } from '../engine/oidc-keys.ts'
import type { Step } from '../engine/transaction.ts'
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
