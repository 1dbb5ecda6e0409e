import { AppError } from '../../errors/errors.ts'
import type { Services } from '../../services.ts'
import { type AuditDetails, type RequestContext, writeAudit } from './request-context.ts'

/**
 * Runs a sign-in. If it is refused, an audit event is stored with the reason.
 *
 * @throws the error of the sign-in
 */
export const auditRefusedSignIn = async <Result>(
  services: Services,
  context: RequestContext,
  details: Pick<AuditDetails, 'user' | 'target'>,
  signIn: () => Result | Promise<Result>,
): Promise<Result> => {
  try {
    return await signIn()
  } catch (error) {
    if (error instanceof AppError) {
      const outcome = error.details.reason ?? error.code
      await writeAudit(services, context, 'login.failed', { ...details, outcome })
    }
    throw error
  }
}
