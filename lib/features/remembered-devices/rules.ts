import { createHash, randomInt } from 'node:crypto'
import { getEffectivePermissions, isPrivileged } from '../../accounts/callers/permissions.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { clockSkewMs } from '../../accounts/sessions/session-rules.ts'
import type { AuthenticationMethod } from '../../accounts/sessions/stored-session.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import {
  rememberedDeviceDaysMax,
  rememberedDeviceParallelMs,
  rememberedDevicesPerUser,
} from '../../kernel/limits/limits.ts'
import { isSameHash } from '../../kernel/secrets/credentials.ts'
import { wasCommitted } from '../../kernel/table/transaction.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { day, isWithin } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import type { Asked, FactorMemory } from '../sign-in/factor-memory.ts'
import type { StoredSignInPolicy } from '../sign-in/policy.records.ts'
import {
  buildEndRememberedDeviceStep,
  buildRememberedDeviceStep,
  findRememberedDevices,
  type RememberedDeviceRecord,
} from './records.ts'
import { type GivenDevice, mintDeviceSecret, parseDeviceSecret } from './secrets.ts'

/** The days of the policy. 0 if it does not allow it or accepts only passkeys, or the user decides about the accounts of others. */
const findDays = async (
  { table }: Services,
  policy: StoredSignInPolicy | undefined,
  user: UserRecord,
): Promise<number> => {
  const days = policy?.policy.remembered_device_days ?? 0
  if (days <= 0 || policy?.policy.passkeys_only) return 0
  return (await getEffectivePermissions(table, user)).some(isPrivileged) ? 0 : days
}

/** What the answer that asks for a second factor says about remembering the browser. Empty if that is not allowed. */
const describeOffer: FactorMemory['describeOffer'] = async (services, { user, policy, browser }) => {
  const days = browser.canBeRemembered ? await findDays(services, policy, user) : 0
  return days > 0 ? { remember_device_days: days } : {}
}

/**
 * Uses the device that the cookie of a request names, instead of the second factor. Returns undefined if the second factor is to be
 * asked for. Reads nothing without a cookie of this user.
 *
 * Each use gives the browser a new secret. The answer with it can be lost, so the secret before works as well until somebody uses the
 * new one. Then nobody but the holder of a copy still has the one before, which ends the device. Someone who uses a copy earlier replaces
 * the new secret, so that the owner, who has it, is the one who uses an old secret: that ends the device, too.
 */
const useRememberedDevice: FactorMemory['use'] = async (services, context, asked) => {
  const { user, policy, browser } = asked
  const given = parseDeviceSecret(browser.given ?? '')
  if (given?.userId !== user.id || browser.asksAnyway) return undefined
  if ((await findDays(services, policy, user)) === 0) return undefined
  const device = findSeries(await findRememberedDevices(services.table, user.id), given)
  if (!device || !isDeviceActive(services, device, asked)) return undefined
  const isNewest = isSameHash(device.hash, given.hash)
  if (!isNewest && !isFormerSecret(device, given)) {
    await endCopied(services, context, user, device)
    return undefined
  }
  if (!isNewest && isParallelUse(services, context, device))
    return { id: device.id, steps: [buildRememberedDeviceStep(device, device)], isUse: true }
  const { value, hash } = mintDeviceSecret(user.id, given.series)
  const used = {
    ...device,
    ...describePlace(context),
    hash,
    formerHash: given.hash,
    lastUsedAt: services.now(),
  }
  return {
    id: device.id,
    steps: [buildRememberedDeviceStep(used, device)],
    cookie: { value, endsAt: device.endsAt },
    isUse: true,
  }
}

const findSeries = (
  devices: readonly RememberedDeviceRecord[],
  { seriesHash }: GivenDevice,
): RememberedDeviceRecord | undefined => devices.find((device) => isSameHash(device.seriesHash, seriesHash))

/** Whether a device works now for its user, under the policy of now. */
export const isDeviceActive = (
  { now }: Services,
  device: RememberedDeviceRecord,
  { user, policy }: Pick<Asked, 'user' | 'policy'>,
): boolean => {
  const nowMs = now()
  const days = policy?.policy.remembered_device_days ?? 0
  return (
    device.credentialEpoch === user.credentialEpoch &&
    device.authenticator === nameAuthenticator(user) &&
    device.createdAt >= (policy?.devicesRememberedSince ?? 0) &&
    nowMs < device.endsAt &&
    // A device from the future was stored while a clock was ahead.
    isWithin(
      device.createdAt - clockSkewMs,
      nowMs,
      Math.min(days, rememberedDeviceDaysMax) * day + clockSkewMs,
    )
  )
}

/** Names the set-up of the authenticator app. Null for a user without one. */
const nameAuthenticator = ({ totp }: UserRecord): string | null =>
  totp ? createHash('sha256').update(totp.encryptedKey).digest('base64url').slice(0, 22) : null

const isFormerSecret = ({ formerHash }: RememberedDeviceRecord, { hash }: GivenDevice): boolean =>
  formerHash !== undefined && isSameHash(formerHash, hash)

/**
 * Whether two tabs of the browser probably sign in at once with the same secret. The second one gets no secret of its own: the browser
 * keeps the cookie of the answer that arrives last, which can be either.
 */
const isParallelUse = (
  { now }: Services,
  { address }: RequestContext,
  device: RememberedDeviceRecord,
): boolean =>
  isWithin(device.lastUsedAt ?? 0, now(), rememberedDeviceParallelMs) &&
  getNetwork(device.address) === getNetwork(address)

/** Ends a device of whose cookie there is a copy. Of parallel requests, one informs the user. */
const endCopied = async (
  services: Services,
  context: RequestContext,
  user: UserRecord,
  device: RememberedDeviceRecord,
): Promise<void> => {
  await wasCommitted(
    services.table.transact([
      buildEndRememberedDeviceStep(device),
      auditStep(context, 'remembered_device.reused', { user: user.id, target: String(device.id) }),
      ...buildSecurityNoticeStep(services, context, user, { kind: 'remembered_device_reused' }),
    ]),
  )
}

/** A recovery code is for the loss of a device, so it does not have one remembered. */
const rememberingMethods: readonly AuthenticationMethod[] = ['otp', 'passkey']

/**
 * Remembers the browser of a sign-in that proved a second factor, if the person wants that and the policy allows it. Another device
 * gives way to the one that would be too many.
 */
const rememberDevice: FactorMemory['remember'] = async (
  services,
  context,
  { methods, changedUser, ...asked },
) => {
  const { user, policy, browser } = asked
  const isProven = methods.some((method) => rememberingMethods.includes(method))
  if (!browser.canBeRemembered || !browser.wantsToBeRemembered || !isProven) return undefined
  const days = await findDays(services, policy, user)
  if (days === 0) return undefined
  const devices = await findRememberedDevices(services.table, user.id)
  const { slot, before } = chooseSlot(services, devices, asked)
  const { value, ...hashes } = mintDeviceSecret(user.id)
  const nowMs = services.now()
  const device: RememberedDeviceRecord = {
    ...hashes,
    ...describePlace(context),
    slot,
    id: randomInt(1, 2 ** 31),
    userId: user.id,
    createdAt: nowMs,
    lastUsedAt: null,
    endsAt: nowMs + days * day,
    credentialEpoch: changedUser.credentialEpoch,
    authenticator: nameAuthenticator(user),
  }
  return {
    id: device.id,
    steps: [
      buildRememberedDeviceStep(device, before),
      auditStep(context, 'remembered_device.created', {
        user: user.id,
        actor: user.id,
        target: String(device.id),
      }),
      ...buildSecurityNoticeStep(services, context, user, { kind: 'device_remembered' }),
    ],
    cookie: { value, endsAt: device.endsAt },
    isUse: false,
  }
}

const describePlace = ({ address, userAgent, country }: RequestContext) => ({
  address,
  userAgent: userAgent.slice(0, 255),
  country,
})

interface ChosenSlot {
  readonly slot: number
  readonly before: RememberedDeviceRecord | undefined
}

/** The slot of this browser, else a free one, one of a device that ended, or the one that was used least recently. */
const chooseSlot = (
  services: Services,
  devices: readonly RememberedDeviceRecord[],
  asked: Asked,
): ChosenSlot => {
  const given = parseDeviceSecret(asked.browser.given ?? '')
  const own = given && findSeries(devices, given)
  const free = Array.from({ length: rememberedDevicesPerUser }, (_, slot) => slot).find(
    (slot) => !devices.some((device) => device.slot === slot),
  )
  const [last] = devices.toSorted((a, b) => rank(services, a, asked) - rank(services, b, asked))
  const before = own ?? (free === undefined ? last : undefined)
  return { slot: before?.slot ?? free ?? 0, before }
}

/** Devices that ended give way first. */
const rank = (services: Services, device: RememberedDeviceRecord, asked: Asked): number =>
  isDeviceActive(services, device, asked) ? (device.lastUsedAt ?? device.createdAt) : 0

export const rememberedDevices: FactorMemory = {
  describeOffer,
  use: useRememberedDevice,
  remember: rememberDevice,
}
