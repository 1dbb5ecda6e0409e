import { auditStep } from '../../../../accounts/events/write-event.ts'
import { keepsChanging, type LeakRow } from '../../../../accounts/users/leak-row.ts'
import { retryConflicts } from '../../../../kernel/table/retry-conflicts.ts'
import { findSamlConnection } from '../records.ts'
import { endSetupLink, findOpenLink } from './setup-links.ts'

export const setupLink: LeakRow = {
  /** Its holder has no account, so the audit event informs the administrators. */
  end: (services, context, { subject, hash }) =>
    retryConflicts(async () => {
      const provider = await findSamlConnection(services.table, subject)
      const link = provider && findOpenLink(provider, services.now())
      if (!provider || link?.hash !== hash) return
      const target = `saml_setup:${provider.id} ${link.id}`
      await endSetupLink(services, provider, [auditStep(context, 'credential.leaked', { target })])
    }, keepsChanging),
}
