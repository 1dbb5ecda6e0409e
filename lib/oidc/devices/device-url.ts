import type { Config } from '../../settings/config.ts'
import { formatUserCode } from './device-code.ts'

export const devicePath = '/device'

/** The address at which a user enters the code of their device, or finds it entered. */
export const buildDeviceUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, userCode?: string): string =>
  `${publicUrl}${devicePath}${userCode === undefined ? '' : `?user_code=${formatUserCode(userCode)}`}`
