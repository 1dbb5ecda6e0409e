import { rememberedDevices } from './remembered-devices/rules.ts'
import type { FactorMemory } from './sign-in/factor-memory.ts'

/** What can remember that a browser proved the second factor. The first one that knows the browser decides. */
export const factorMemories: readonly FactorMemory[] = [rememberedDevices]
