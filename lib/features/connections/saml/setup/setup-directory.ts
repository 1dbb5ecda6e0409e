import { AppError } from '../../../../kernel/errors/errors.ts'
import type { Table } from '../../../../kernel/table/table.ts'
import type { Step } from '../../../../kernel/table/transaction.ts'
import { buildSetupTokenEndSteps } from '../../../provisioning/setup-tokens.records.ts'
import type { SetupLink } from '../../records.ts'
import type { SamlConnection } from '../records.ts'

/** @throws AppError `permission_denied` if who created the link did not let its holder set up the directory */
export const requireDirectoryAllowed = ({ allowsDirectory }: SetupLink): void => {
  if (!allowsDirectory)
    throw new AppError('permission_denied', {
      detail: 'The link does not include the directory. Ask the person who sent it for a link that does.',
    })
}

/**
 * What becomes of the directory that the holder of a link set up, if another link or an administrator takes their place: its tokens end, and
 * it is off. What administrators set stays.
 */
export const forgetSetupDirectory = async (
  table: Table,
  { id, scim }: SamlConnection,
): Promise<{ readonly changes: Pick<SamlConnection, 'scim'>; readonly steps: readonly Step[] }> => {
  if (!scim) return { changes: {}, steps: [] }
  const { isFromSetup, ...settings } = scim
  return {
    changes: isFromSetup ? { scim: { ...settings, isOn: false } } : {},
    steps: await buildSetupTokenEndSteps(table, id),
  }
}
