import { AppError } from '../../kernel/errors/errors.ts'
import type { Principal } from './principal.ts'

/** Rejects sessions that an access link opened. */
export const requireOwnSession = ({ session }: Pick<Principal, 'session'>): void => {
  if (session?.accessLink)
    throw new AppError('permission_denied', {
      detail: 'Not allowed in a session that an access link opened. Sign in instead.',
    })
}

/** Rejects administrators who act as another user. */
export const requireNoImpersonation = ({ actor }: Pick<Principal, 'actor'>): void => {
  if (actor)
    throw new AppError('permission_denied', { detail: 'Not allowed while impersonating another user.' })
}
