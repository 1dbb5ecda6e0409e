import { auditStep } from '../../accounts/events/write-event.ts'
import { findUsers } from '../../accounts/users/find-users.records.ts'
import { buildLeakSteps, type Found, keepsChanging, type LeakRow } from '../../accounts/users/leak-row.ts'
import { resolveSuccessors } from '../../accounts/users/successors.records.ts'
import { isSameHash } from '../../kernel/secrets/credentials.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { type ClientRecord, findClientById, listValidSecrets, removeClientSecret } from './clients.records.ts'

const toFound = ({ id, name }: ClientRecord): Found => ({
  ...{ kind: 'oidc_client_secret', id, name },
  user: null,
})

export const clientSecret: LeakRow = {
  /**
   * Removes the secret of a client. The administrator who registered the client is informed. The client stays, and works again with
   * another secret.
   */
  end: async (services, context, { subject, hash }) => {
    // A conflict means that another report ended the secret, or an administrator changed something else of the client.
    await retryConflicts(async () => {
      const client = await findClientById(services.table, subject)
      const secret = client && listValidSecrets(client, services.now()).find((one) => one.hash === hash)
      if (!secret) return
      const [owner] = await resolveSuccessors(
        services.table,
        client.createdBy === null ? [] : await findUsers(services.table, [client.createdBy]),
      )
      const target = `oidc_client_secret:${client.id}`
      const steps = owner
        ? buildLeakSteps(services, context, owner, target)
        : [auditStep(context, 'credential.leaked', { target })]
      await removeClientSecret(services.table, client, secret.id, steps)
    }, keepsChanging)
  },
  find: async ({ table }, { subject, hash }) => {
    const client = await findClientById(table, subject)
    return client?.secrets.some((secret) => isSameHash(secret.hash, hash)) ? toFound(client) : undefined
  },
  findByStart: async (table, subject) => {
    const client = await findClientById(table, subject)
    return client && toFound(client)
  },
}
