import type { ApiFailure } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { messagesOf } from '../kit/messages.ts'

const t = messagesOf('signIn')

/** Explains why a sign-in failed. */
export const describeSignInFailure = (failure: ApiFailure): string =>
  describeFailure(failure, {
    otp_invalid: t('codeWrong'),
    otp_required: t('enterCode'),
    email_code_invalid: t('emailCodeWrong'),
    passkey_invalid: t('passkeyInvalid'),
    passkey_unknown: t('passkeyUnknown'),
    user_verification_required: t('passkeyUnverified'),
    account_disabled: t('disabled'),
  })
