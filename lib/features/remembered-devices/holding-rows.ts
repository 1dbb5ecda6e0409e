import type { HoldingRow } from '../../accounts/users/holding-row.ts'
import { listRememberedDevices } from './records.ts'

/** A device belongs to the epoch of the sessions of its user. */
export const rememberedDevice: HoldingRow = {
  count: async ({ table, now }, { id, credentialEpoch }) =>
    (await listRememberedDevices(table, id)).filter(
      (device) => device.credentialEpoch === credentialEpoch && now() < device.endsAt,
    ).length,
}
