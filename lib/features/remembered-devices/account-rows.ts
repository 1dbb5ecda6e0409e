import type { EndRow, MergeRow } from '../../accounts/users/account-row.ts'
import { rememberedDevicePrefix } from '../../kernel/table/keys/keys.ts'

export const ends: readonly EndRow[] = [{ sk: rememberedDevicePrefix }]

export const merges: readonly MergeRow[] = [{ sk: rememberedDevicePrefix, merge: 'ends' }]
