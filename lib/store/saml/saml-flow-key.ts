import { createHash } from 'node:crypto'
import type { Key } from '../keys/keys.ts'
import { samlFlowKey } from '../keys/saml-keys.ts'

/** What a record with a provider is about. Part of the hash in its key. */
export type FlowKind =
  | 'sign-in'
  | 'test-result'
  | 'return'
  | 'assertion'
  | 'logout-request'
  | 'logout-message'

/** The key of a record that a SAML flow stores, by the ID or token that later finds it. */
export const getFlowKey = (providerId: number, kind: FlowKind, id: string): Key =>
  samlFlowKey(providerId, createHash('sha256').update(`${kind} ${id}`).digest('base64url'))
