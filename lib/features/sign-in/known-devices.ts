import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import type { UserUpdate } from '../../accounts/users/build-user-step.records.ts'
import { buildKnownAddressUpdates, buildKnownDeviceUpdates } from '../../accounts/users/last-seen.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import {
  deviceCookiesPerUser,
  knownAddressesPerUser,
  knownDevicesPerUser,
} from '../../kernel/limits/limits.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { describeUserAgent } from '../../kernel/util/user-agents.ts'
import type { Services } from '../../services.ts'
import { buildKnownBrowserStep } from './known-browsers.ts'

/** What a sign-in adds to its transaction because of its device. */
export interface DeviceChange {
  /** Remembers the network and the device with the user. Empty if that was done recently. */
  readonly updates: readonly UserUpdate[]
  /** Queues an email to the user if the device is new. */
  readonly extraSteps: readonly Step[]
}

/**
 * Recognizes the device of a sign-in: a network together with a browser. The user gets one email for each new device,
 * but not for the first sign-in ever. The version of the browser does not count.
 */
export const recognizeDevice = (
  services: Services,
  context: RequestContext,
  user: UserRecord,
): DeviceChange => {
  const nowMs = services.now()
  const network = getNetwork(context.address)
  const device = `${network} ${describeUserAgent(context.userAgent)}`
  const cookies = context.device
    ? buildKnownDeviceUpdates(user, 'deviceCookies', context.device.hash, {
        nowMs,
        limit: deviceCookiesPerUser,
      })
    : []
  const isFirstSignIn = Object.keys(user.knownAddresses).length === 0
  return {
    updates: [
      ...buildKnownAddressUpdates(user, network, nowMs, knownAddressesPerUser),
      ...buildKnownDeviceUpdates(user, 'knownDevices', device, { nowMs, limit: knownDevicesPerUser }),
      ...cookies,
    ],
    extraSteps: [
      ...(context.device && cookies.length > 0
        ? [buildKnownBrowserStep(services, user, context.device)]
        : []),
      ...(isFirstSignIn || Object.hasOwn(user.knownDevices ?? {}, device)
        ? []
        : buildSecurityNoticeStep(services, context, user, { kind: 'new_device' })),
    ],
  }
}
