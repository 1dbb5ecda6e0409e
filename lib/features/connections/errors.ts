import { AppError, type ErrorCode } from '../../kernel/errors/errors.ts'
import type { Connection } from './records.ts'

/** The error for a rejected sign-in. The sentence is for the user who tried to sign in. */
export const createConnectionError = (
  code: ErrorCode,
  provider: Pick<Connection, 'name'>,
  reason: string,
  sentence: string,
): AppError => new AppError(code, { reason, detail: getConnectionErrorText(provider, sentence) })

export const getConnectionErrorText = ({ name }: Pick<Connection, 'name'>, sentence: string): string =>
  `Signing in with ${name} did not work. ${sentence}`

export const createNoAccountError = (provider: Connection): AppError =>
  createConnectionError(
    'permission_denied',
    provider,
    'no_account',
    'Your account there is not connected to an account here. If you have one here, sign in to it and connect them on your account page. Otherwise, ask an administrator.',
  )
