import { findUsers } from '../../accounts/users/find-users.records.ts'
import { endOnce, type LeakRow } from '../../accounts/users/leak-row.ts'
import { isSameHash } from '../../kernel/secrets/credentials.ts'
import { buildEndRememberedDeviceStep, findRememberedDevices } from './records.ts'

export const rememberedDevice: LeakRow = {
  end: async (services, context, { subject, hash }) => {
    const [user] = await findUsers(services.table, [subject])
    const devices = user ? await findRememberedDevices(services.table, subject) : []
    const device = devices.find((one) => isSameHash(one.hash, hash))
    if (!user || !device || device.endsAt <= services.now()) return
    const end = buildEndRememberedDeviceStep(device)
    await endOnce(services, context, { owner: user, target: `remembered_device:${device.id}`, end })
  },
}
