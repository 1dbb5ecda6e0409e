import { AppError } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import type { MissingProof } from './missing-proofs.ts'
import { createProviderRequiredError } from './required-sign-in.ts'

/** The answer to a right proof that is too little, where nothing can be sent with it. The reasons are those of a sign-in. */
export const createConfirmationError = (services: Services, missing: MissingProof): AppError => {
  switch (missing.kind) {
    case 'required_connection':
      return createProviderRequiredError(services, missing.connection)
    case 'code':
      return createIncompleteError(
        'otp_required',
        'Send a code from the authenticator app or a recovery code as `otp`.',
      )
    case 'passkey':
      return createIncompleteError(
        'passkey_required',
        'Confirm your identity with `reauthenticate_with_passkey`, or sign in with your passkey.',
      )
    case 'new_password':
      return createIncompleteError(
        'password_change_required',
        `${missing.isBreached ? 'The password was found in a data breach of another service. ' : ''}Change it with \`change_own_password\`, then confirm your identity with the new one.`,
        missing.isBreached ? { is_password_breached: true } : {},
      )
    case 'setup':
      return createIncompleteError(
        'second_factor_setup_required',
        `This account needs ${missing.limitedTo === 'passkey_setup' ? 'a passkey' : 'a second factor'} now. Sign in again with \`second_factor_setup\`, and set it up.`,
      )
  }
}

const createIncompleteError = (
  reason: string,
  detail: string,
  members: Readonly<Record<string, unknown>> = {},
): AppError => new AppError('login_incomplete', { reason, detail, members })
