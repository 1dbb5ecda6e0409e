import type { Adapter, AdapterPayload } from 'oidc-provider'

/** The parts of an adapter that a model uses. */
export type ModelAdapter = Partial<Adapter>

/** Returns a payload in the form that the table stores. Fields without a value are left out. */
export const toStoredPayload = (payload: AdapterPayload): Record<string, unknown> =>
  JSON.parse(JSON.stringify(payload))
