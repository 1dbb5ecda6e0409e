import { createHash } from 'node:crypto'
import type { Key } from '../engine/keys.ts'
import { earlierSamlFlowKey, samlFlowKey } from '../engine/saml-keys.ts'

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
  samlFlowKey(providerId, hashId(kind, id))

/** The key that earlier versions stored it with. Flows take minutes, so it matters only after an update. */
export const getEarlierFlowKey = (providerId: number, kind: FlowKind, id: string): Key =>
  earlierSamlFlowKey(providerId, hashId(kind, id))

const hashId = (kind: FlowKind, id: string): string =>
  createHash('sha256').update(`${kind} ${id}`).digest('base64url')
