import { hasPermission } from '../../accounts/callers/permissions.ts'
import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { requireUser } from '../../accounts/users/require-records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { type ListRequest, readPageRequest, toListReply } from '../../http/paging.ts'
import { readRememberedDevice } from '../../http/sign-in-browser.ts'
import type { UseCase } from '../../http/use-case.ts'
import type { Ordering } from '../../kernel/contract/query.ts'
import { AppError, requireFound } from '../../kernel/errors/errors.ts'
import { isSameHash } from '../../kernel/secrets/credentials.ts'
import { buildPage } from '../../kernel/table/listing.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import { sortableId } from '../../kernel/util/sortable-id.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { requireRightToChange } from '../directory/rights/account-rights.ts'
import { findSignInPolicy } from '../sign-in/policy.records.ts'
import type { RememberedDevice } from './models.ts'
import type { rememberedDevices } from './operations.ts'
import {
  buildEndRememberedDeviceStep,
  listRememberedDevices,
  type RememberedDeviceRecord,
} from './records.ts'
import { isDeviceActive } from './rules.ts'
import { parseDeviceSecret } from './secrets.ts'

/** Lists the devices of the caller, or of a user whom the caller manages. */
export const getRememberedDevices: UseCase<typeof rememberedDevices.getRememberedDevices> = async (
  request,
  services,
) => {
  const user = await requireOwnOrManaged(services, request.principal, request.params.id)
  return { status: 200, ...(await listDevices(services, request, user)) }
}

/** Ends a device of the caller, or of a user whom the caller manages. */
export const endRememberedDevice: UseCase<typeof rememberedDevices.endRememberedDevice> = async (
  { params, principal, context },
  services,
) => {
  const user = await requireOwnOrManaged(services, principal, params.id)
  await retryConflicts(async () => {
    const device = requireFound(
      (await findActiveDevices(services, user)).find(({ id }) => id === params.device_id),
      'remembered device',
      'It may have ended already.',
    )
    await services.table.transact([
      // A sign-in may have used it since.
      buildEndRememberedDeviceStep(device, () => new EditConflict()),
      auditStep(context, 'remembered_device.ended', { user: user.id, target: String(device.id) }),
    ])
  }, 'The device was used at the same time. Try again.')
  return { status: 204 }
}

/** @throws AppError `permission_denied` or `not_found` */
const requireOwnOrManaged = async (
  services: Services,
  principal: SessionPrincipal,
  userId: number,
): Promise<UserRecord> => {
  if (userId === principal.user.id) return principal.user
  if (!(await hasPermission(services.table, principal.user, 'users:manage')))
    throw new AppError('permission_denied', {
      detail: 'Requires the `users:manage` permission or your own account.',
    })
  const user = await requireUser(services.table, userId)
  await requireRightToChange(services, principal, user)
  return user
}

const findActiveDevices = async (
  services: Services,
  user: UserRecord,
): Promise<readonly RememberedDeviceRecord[]> => {
  const [devices, policy] = await Promise.all([
    listRememberedDevices(services.table, user.id),
    findSignInPolicy(services.table),
  ])
  return devices.filter((device) => isDeviceActive(services, device, { user, policy }))
}

interface DeviceListRequest extends ListRequest {
  readonly query: ListRequest['query'] & { readonly ordering: Ordering<'id' | 'created_at'> }
  readonly cookies: readonly string[]
}

/** A user has only a few devices, so all of them are read at once and sorted here. */
const listDevices = async (
  services: Services,
  request: DeviceListRequest,
  user: UserRecord,
): Promise<ReturnType<typeof toListReply<RememberedDevice>>> => {
  const getSortKey = request.query.ordering.field === 'id' ? formatId : formatAge
  const active = await findActiveDevices(services, user)
  const { rows, next } = buildPage(active, getSortKey, readPageRequest(request))
  const given = parseDeviceSecret(readRememberedDevice(services.config, request.cookies) ?? '')
  const bodies = rows.map(({ indexKey, row }) => ({
    indexKey,
    row: toDeviceBody(row, {
      isCurrent: given !== undefined && isSameHash(row.seriesHash, given.seriesHash),
    }),
  }))
  return toListReply(request, services.config, { rows: bodies, next })
}

const formatId = ({ id }: RememberedDeviceRecord): string => sortableId(id)
const formatAge = (device: RememberedDeviceRecord): string =>
  `${formatTime(device.createdAt)}#${formatId(device)}`

const toDeviceBody = (
  device: RememberedDeviceRecord,
  { isCurrent }: { readonly isCurrent: boolean },
): RememberedDevice => ({
  id: device.id,
  created_at: formatTime(device.createdAt),
  last_used_at: formatTime(device.lastUsedAt),
  expires: formatTime(device.endsAt),
  ip: device.address,
  user_agent: device.userAgent,
  country: device.country ?? null,
  is_current: isCurrent,
})
