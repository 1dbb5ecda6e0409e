import { AppError, ConflictError } from '../../kernel/errors/errors.ts'
import { isAbsent } from '../../kernel/table/expressions.ts'
import { connectionClosedKeys } from '../../kernel/table/keys/connection-keys.ts'
import { connectionDeletionKey, publicConnectionKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'

/*
 * A public provider has one connection at most, and that has the same ID each time. So people whose provider was removed and added again
 * find their accounts, and the redirect URI that is registered at the provider stays right.
 */

const markerCodec = createCodec<{ readonly providerId: number }>('connection of a public provider', {
  providerId: 'number',
})

/** The ID that the connection of a public provider has, or had. */
export const findPublicConnectionId = async (table: Table, name: string): Promise<number | undefined> =>
  (await findRecord(table, markerCodec, publicConnectionKey(name)))?.providerId

/** Another connection has the public provider. */
export class PublicProviderTaken extends ConflictError {
  constructor() {
    super('public_provider_taken', 'another connection has this public provider')
    this.name = 'PublicProviderTaken'
  }
}

const buildMarkerStep = (name: string, id: number): Step => ({
  put: { ...publicConnectionKey(name), ...markerCodec.encode({ providerId: id }) },
  condition: (x) => `${isAbsent(x)} OR ${x.path('providerId')} = ${x.value(id)}`,
  orElse: () => new PublicProviderTaken(),
})

/** Returns the ID of the connection of a public provider. If it has none, `allocateId` gives the one that it will have. */
export const reservePublicConnectionId = async (
  table: Table,
  name: string,
  allocateId: () => Promise<number>,
): Promise<number> => {
  const known = await findPublicConnectionId(table, name)
  if (known !== undefined) return known
  const id = await allocateId()
  try {
    await table.transact([buildMarkerStep(name, id)])
    return id
  } catch (error) {
    // Someone else was faster.
    const other = error instanceof PublicProviderTaken && (await findPublicConnectionId(table, name))
    if (typeof other === 'number') return other
    throw error
  }
}

/** Builds the steps that give a public provider to a new connection. After a deletion, sign-ins are possible again. */
export const buildPublicConnectionSteps = (name: string, id: number): readonly Step[] => [
  buildMarkerStep(name, id),
  {
    delete: connectionDeletionKey(id),
    condition: isAbsent,
    orElse: () =>
      new AppError('conflict', {
        detail: 'Not all sessions of the deleted connection have ended yet. Repeat its deletion first.',
      }),
  },
  ...connectionClosedKeys(id).map((key) => ({ delete: key })),
]
