import {
  defaultSignInPolicy,
  findSignInPolicy,
  replaceSignInPolicy,
  type SignInPolicy,
} from '../../lib/features/sign-in/policy.records.ts'
import type { TestService } from './service.ts'

/** Stores a sign-in policy without a request. What `changes` does not name has its default. */
export const storeSignInPolicy = async (
  { services: { table, now } }: TestService,
  changes: Partial<SignInPolicy>,
): Promise<void> => {
  const policy = { ...defaultSignInPolicy, ...changes }
  await replaceSignInPolicy(table, await findSignInPolicy(table), { policy, secondFactorSince: now() }, [])
}
