import type { AccountProfile } from '../../lib/kernel/contract/page-data.ts'
import { signalPasskeys } from '../kit/passkeys.ts'
import { client } from '../session-kit/client.ts'

/** Tells password managers which passkeys the person has, and by which name. Nothing depends on it, so a failure is not shown. */
export const tellPasswordManagers = async (profile: AccountProfile): Promise<void> => {
  const settings = await client.passkeys.getPasskeySettings().catch(() => undefined)
  if (settings) await signalPasskeys(settings, profile)
}
