import type { FunctionName } from '../grants/grants.ts'

/** These functions hash passwords, which needs a full processor. Lambda provides one from 1,769 MB on. */
export const hashesPasswords: readonly FunctionName[] = [
  'sessions',
  'passwords',
  'access-tokens',
  'invitations',
  'first-admin',
]

/** The memory of a function in MB. Lambda gives each function processor time in proportion to its memory. */
export const getMemoryMb = (name: FunctionName): number =>
  hashesPasswords.includes(name) ? fullProcessorMb : 512

/** The memory with which a function has one full processor. */
export const fullProcessorMb = 1769
