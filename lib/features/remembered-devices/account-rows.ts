import { rememberedDevicePrefix } from '../../kernel/table/keys/keys.ts'
import type { EndRow, MergeRow } from '../directory/account-row.ts'

export const ends: readonly EndRow[] = [{ sk: rememberedDevicePrefix }]

export const merges: readonly MergeRow[] = [{ sk: rememberedDevicePrefix, merge: 'ends' }]
